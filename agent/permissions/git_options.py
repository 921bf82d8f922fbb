"""The options of git subcommands that are known to be harmless, one table for each subcommand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from store.frozen import frozen

# The ways to merge that are part of git; for any other name it looks for a program.
STRATEGIES = re.compile("ort|recursive|ours|theirs|resolve")


@frozen
class Options:
    """`long` names take part as they are or with a value; `short` describes a whole word after one dash."""

    long: frozenset[str]
    short: re.Pattern[str]

    def unknown(self, words: Sequence[str]) -> str:
        """Return the first option that is not listed; empty if all are.

        Words after `--` are looked at as well: git takes `--` for the value of an option that needs one.
        """
        return next((word for word in words if not self._knows(word)), "")

    def _knows(self, word: str) -> bool:
        if not word.startswith("-") or word in ("-", "--"):
            return True
        if not word.startswith("--"):
            return self.short.fullmatch(word[1:]) is not None
        name, _, value = word[2:].partition("=")
        if name in _VALUES:
            return name in self.long and _VALUES[name].fullmatch(value) is not None
        # Only whole names: git accepts every beginning of a name that is not ambiguous.
        positive = name.removeprefix("no-")
        return name in self.long or (positive in self.long and not positive.startswith("no-"))


# What matters here is the value: others start programs.
_VALUES = {
    "strategy": STRATEGIES,
    "strategy-option": STRATEGIES,
    "submodule": re.compile("short"),
    "diff-merges": re.compile("off|none|on|m|first-parent|1|separate|combined|c|dense-combined|cc"),
}

_DIFF = """
    patch no-patch raw patch-with-raw patch-with-stat stat numstat shortstat compact-summary dirstat
    cumulative dirstat-by-file summary name-only name-status minimal patience histogram diff-algorithm
    anchored indent-heuristic unified inter-hunk-context function-context word-diff word-diff-regex
    color-words color color-moved color-moved-ws renames find-renames find-copies find-copies-harder
    break-rewrites irreversible-delete diff-filter pickaxe-all pickaxe-regex find-object relative text
    ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines
    ignore-matching-lines exit-code quiet no-ext-diff no-textconv ignore-submodules src-prefix
    dst-prefix no-prefix default-prefix line-prefix full-index binary abbrev ws-error-highlight check
    stat-width stat-name-width stat-count stat-graph-width output-indicator-new output-indicator-old
    output-indicator-context rename-empty skip-to rotate-to submodule ita-visible-in-index
    ita-invisible-in-index root
"""
_LOG = """
    oneline graph all branches tags remotes glob exclude max-count skip since after until before author
    committer grep all-match invert-grep regexp-ignore-case basic-regexp extended-regexp fixed-strings
    perl-regexp merges min-parents max-parents first-parent not reverse walk-reflogs grep-reflog merge
    boundary simplify-by-decoration full-history dense sparse simplify-merges ancestry-path show-pulls
    cherry-pick cherry-mark cherry left-only right-only left-right date-order author-date-order
    topo-order no-walk do-walk pretty format abbrev-commit encoding expand-tabs notes show-notes date
    relative-date parents children decorate decorate-refs decorate-refs-exclude clear-decorations source
    mailmap use-mailmap full-diff log-size follow cc combined-all-paths diff-merges timestamp
    show-linear-break no-show-signature ignore-missing
"""
_CHANGES = r"[psuwWbaRzrtmciEFPgqD0-9]+|[nUlMCB]\d+%?|[MCB]|[SGIL].*|n"
_LISTED = "contains merged points-at sort format color column abbrev ignore-case omit-empty"

_TEXTS: Mapping[str, tuple[str, str]] = {
    "annotate": ("", "[lst]+|L.*"),
    "blame": (
        """root show-stats date porcelain line-porcelain incremental score-debug show-name show-number
        show-email since abbrev first-parent reverse color-lines color-by-age minimal ignore-rev encoding
        progress""",
        r"[lstewpfnc]+|[MC]\d*|L.*",
    ),
    "branch": (f"list all remotes verbose show-current {_LISTED}", "[arvlqi]+"),
    "cat-file": ("batch batch-check batch-all-objects unordered buffer mailmap use-mailmap", "[tsepzZ]"),
    "check-attr": ("all cached stdin", "[az]+"),
    "check-ignore": ("quiet verbose non-matching stdin", "[qvnz]+"),
    "cherry": ("abbrev verbose", "v"),
    "count-objects": ("verbose human-readable", "[vH]+"),
    "describe": (
        """all tags contains abbrev candidates exact-match debug long match exclude always first-parent
        dirty""",
        "",
    ),
    "diff": (
        f"{_DIFF} cached staged merge-base no-index base ours theirs",
        r"[psuwWbaRzrtqcD0-9]+|[UlMCB]\d+%?|[MCB]|[SGI].*",
    ),
    "diff-files": (_DIFF + " base ours theirs cc", _CHANGES),
    "diff-index": (_DIFF + " cached merge-base cc", _CHANGES),
    "diff-tree": (_DIFF + _LOG + " no-commit-id always stdin merge-base", _CHANGES + "|[v]"),
    "for-each-ref": (f"count shell perl python tcl exclude {_LISTED}", "[spq]"),
    "grep": (
        """line-number ignore-case files-with-matches name-only files-without-match count word-regexp
        invert-match extended-regexp fixed-strings basic-regexp perl-regexp only-matching context
        after-context before-context heading break show-function function-context color cached full-name
        column max-depth max-count and or not all-match quiet text null threads no-textconv recursive""",
        r"[nilLcwvEFGPohHpWIaqrze0-9]+|[ABCm]\d*|e.*",
    ),
    "log": (_DIFF + _LOG, _CHANGES),
    "ls-files": (
        """cached deleted modified others ignored stage directory empty-directory unmerged killed exclude
        exclude-standard error-unmatch full-name abbrev deduplicate eol debug format with-tree""",
        "[cdmoisukztvf]+|x.*",
    ),
    "ls-remote": ("heads branches tags refs quiet symref sort get-url exit-code", "[htq]+"),
    "ls-tree": ("name-only name-status object-only abbrev full-name full-tree long format", "[drtlz]+"),
    "merge-base": ("all is-ancestor octopus independent fork-point", "a"),
    "name-rev": ("tags refs exclude all name-only undefined always", ""),
    "reflog": (_DIFF + _LOG, _CHANGES),
    "remote": ("verbose push all", "v"),
    "rev-list": (_DIFF + _LOG + " count objects objects-edge disk-usage header", _CHANGES),
    "rev-parse": (
        """abbrev-ref show-toplevel short verify quiet is-inside-work-tree is-inside-git-dir
        is-bare-repository is-shallow-repository git-dir absolute-git-dir git-common-dir show-prefix
        show-cdup show-object-format symbolic-full-name symbolic all branches tags remotes revs-only
        no-revs flags no-flags default since until path-format git-path end-of-options""",
        "q",
    ),
    "shortlog": (_LOG + " numbered summary email group", _CHANGES + "|[nsec]+|w[0-9,]*"),
    "show": (_DIFF + _LOG, _CHANGES),
    "show-branch": (
        """all remotes current topo-order date-order sparse more list merge-base independent no-name
        sha1-name topics color reflog""",
        r"[ar]+|g\d*",
    ),
    "show-ref": ("head heads tags branches dereference hash verify quiet abbrev exists", "[dqs]+"),
    "stash": (_DIFF + _LOG + " include-untracked only-untracked", _CHANGES),
    "status": (
        """short branch show-stash porcelain long untracked-files ignore-submodules ignored column
        ahead-behind renames find-renames null""",
        r"[sbz]*u(no|normal|all)?|[sbz]+|M\d*",
    ),
    "symbolic-ref": ("short quiet recurse", "q"),
    "tag": (f"list {_LISTED}", r"l|[nli]+\d*"),
    "version": ("build-options", ""),
    "whatchanged": (_DIFF + _LOG, _CHANGES),
    "worktree": ("porcelain verbose", "[vz]+"),
}  # fmt: skip


def _options(long: str, short: str) -> Options:
    return Options(frozenset(long.split()), re.compile(short, re.DOTALL))


LOOKING = {name: _options(*texts) for name, texts in _TEXTS.items()}
# The options of subcommands that write the repository: none asks, reads paths from a file, signs, names a
# program or enters submodules.
_MERGING = "strategy strategy-option abort continue quit"
_PICKING = f"{_MERGING} skip no-edit no-commit mainline signoff cleanup no-gpg-sign rerere-autoupdate"
_CHECKOUT = (
    "quiet progress force ours theirs merge conflict detach track guess orphan overlay overwrite-ignore"
)
WRITING = {
    "add": _options(
        """all update verbose dry-run force intent-to-add ignore-errors ignore-removal ignore-missing sparse
        chmod""",
        "[AuvnfN]+",
    ),
    "branch": _options(
        """delete move copy force track quiet verbose set-upstream-to unset-upstream create-reflog remotes
        list""",
        "[dDmMcCftqrv]+|u",
    ),
    "checkout": _options(_CHECKOUT, "[bBtfqlmd23]+"),
    "cherry-pick": _options(
        f"{_PICKING} ff allow-empty allow-empty-message keep-redundant-commits empty", r"[nsx]+|m\d*"
    ),
    "commit": _options(
        """all message quiet verbose amend no-edit allow-empty allow-empty-message signoff no-verify author
        date dry-run short only include no-gpg-sign reset-author no-status cleanup no-post-rewrite""",
        "[aqvnosi]*(m.*)?",
    ),
    "merge": _options(
        f"""{_MERGING} ff ff-only squash commit message quiet verbose stat log no-edit autostash signoff
        progress into-name cleanup allow-unrelated-histories no-gpg-sign rerere-autoupdate""",
        "[nqv]+|[nqv]*m.*",
    ),
    "mv": _options("force dry-run verbose sparse", "[fknv]+"),
    "rebase": _options(
        f"""{_MERGING} skip onto keep-base root quiet verbose stat autostash force-rebase no-ff fork-point
        ignore-whitespace reapply-cherry-picks update-refs committer-date-is-author-date
        reset-author-date signoff merge apply rebase-merges empty keep-empty no-gpg-sign
        rerere-autoupdate""",
        "[qvnfmr]+",
    ),
    "reset": _options("soft mixed hard merge keep quiet intent-to-add refresh", "[qN]+"),
    "restore": _options(
        """source staged worktree ours theirs merge conflict quiet progress overlay ignore-unmerged
        ignore-skip-worktree-bits""",
        "[sSWmq23]+",
    ),
    "revert": _options(f"{_PICKING} reference", r"[ns]+|m\d*"),
    "rm": _options("cached dry-run force ignore-unmatch quiet sparse", "[rfnq]+"),
    # Not with untracked files: git would also remove the empty folders on which the sandbox mounts, and fail.
    "stash": _options("keep-index index staged quiet message", "[kqSm]+"),
    "switch": _options(f"{_CHECKOUT} create force-create discard-changes", "[cCdfmqt]+"),
    "tag": _options("annotate message delete force no-sign create-reflog cleanup", "[adf]+|[af]*m.*"),
}
