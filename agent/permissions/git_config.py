"""Judges a git configuration file: git itself reads it, and only keys that are known to be harmless pass."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from agent.permissions.errors import PermissionsError

Settings = tuple[tuple[str, str], ...]

LARGEST = 256 * 1024
_SECONDS = 5

_FLAG = r"|true|false|yes|no|on|off|0|1"
_OFF = r"false|no|off|0"
_WORD = r"-?[A-Za-z0-9_#;][\w.,:/+ *@=%#-]*|"
_PLAIN_PATH = r"(?!-)[^:\0]*"
_PLACE = r"(https?|ssh|git|file)://(?!-|[^/]*@-)[^\0]+|[\w][\w.@-]*:(?![:/]/|:)[^\0]*|" + _PLAIN_PATH
_REF = r"[+^]?[\w./*@#-]*(:[\w./*@#-]*)?"
_ANY = r"(?s:.*)"

# `*` stands for a subsection. A key that is missing here may name a program, a file or another repository.
_HARMLESS: tuple[tuple[str, str], ...] = (
    (
        _FLAG,
        """
        core.bare core.filemode core.ignorecase core.precomposeunicode core.symlinks core.quotepath
        core.protectntfs core.protecthfs core.longpaths core.trustctime core.sparsecheckout
        core.sparsecheckoutcone core.splitindex core.multipackindex core.commitgraph core.preloadindex
        core.fscache core.ignorestat core.warnambiguousrefs core.prefersymlinkrefs core.hidedotfiles
        extensions.worktreeconfig extensions.noop extensions.preciousobjects extensions.relativeworktrees
        remote.*.mirror remote.*.prune remote.*.prunetags remote.*.skipdefaultupdate
        remote.*.skipfetchall user.useconfigonly pull.ff push.autosetupremote push.followtags
        push.useforceifincludes fetch.prune fetch.prunetags fetch.writecommitgraph
        fetch.showforcedupdates rebase.autostash rebase.autosquash rebase.updaterefs rebase.stat
        rebase.missingcommitscheck merge.ff merge.log merge.stat merge.autostash merge.renormalize
        diff.mnemonicprefix diff.noprefix diff.indentheuristic diff.relative diff.wserrorhighlight
        diff.suppressblankempty diff.statgraphwidth status.short status.branch status.relativepaths
        status.aheadbehind status.showstash status.renames log.abbrevcommit log.follow log.mailmap
        log.decorate log.showroot grep.linenumber grep.column grep.extendedregexp grep.fullname
        blame.showroot blame.blankboundary blame.showemail blame.markunblamablelines
        blame.markignoredlines advice.* gc.autodetach gc.packrefs index.sparse index.skiphash
        index.recordendofindexentries index.recordoffsettable maintenance.auto commit.gpgsign
        commit.verbose commit.status tag.gpgsign tag.forcesignannotated rerere.enabled
        rerere.autoupdate submodule.*.active submodule.active submodule.fetchrecursesubmodules
        feature.manyfiles feature.experimental http.sslverify transfer.fsckobjects
        receive.fsckobjects fetch.fsckobjects checkout.guess worktree.guessremote stash.showpatch
        stash.showstat stash.showincludeuntracked interactive.singlekey pager.*
        """,
    ),
    (
        _OFF,
        """
        core.fsmonitor log.showsignature status.submodulesummary submodule.recurse
        submodule.propagatebranches push.recursesubmodules
        """,
    ),
    (
        _WORD,
        """
        core.repositoryformatversion core.logallrefupdates core.autocrlf core.eol core.safecrlf
        core.whitespace core.commentchar core.abbrev core.compression core.loosecompression
        core.bigfilethreshold core.packedgitlimit core.packedgitwindowsize core.deltabasecachelimit
        core.untrackedcache core.checkstat core.sharedrepository core.hidedotfiles
        extensions.objectformat extensions.compatobjectformat extensions.refstorage
        remote.*.gh-resolved remote.*.glab-resolved remote.*.followremotehead
        branch.*.rebase branch.*.gh-merge-base branch.*.vscode-merge-base branch.*.gk-merge-base
        branch.*.gk-last-accessed branch.*.gk-last-modified branch.*.github-pr-owner-number
        branch.autosetupmerge branch.autosetuprebase branch.sort pull.rebase push.default fetch.parallel
        rebase.abbreviatecommands merge.conflictstyle merge.renames merge.renamelimit merge.directoryrenames
        diff.algorithm diff.renames diff.renamelimit diff.colormoved diff.colormovedws diff.context
        diff.interhunkcontext diff.ignoresubmodules diff.wserrorhighlight diff.dirstat
        status.showuntrackedfiles status.renamelimit status.renames log.date log.decorate log.graphcolors
        log.diffmerges color.* color.*.* column.* grep.patterntype grep.threads blame.coloring blame.date
        gc.auto gc.autopacklimit gc.pruneexpire gc.reflogexpire gc.reflogexpireunreachable
        gc.worktreepruneexpire pack.threads pack.windowmemory pack.packsizelimit pack.deltacachesize
        pack.window pack.depth pack.compression index.version index.threads maintenance.strategy
        commit.cleanup tag.sort submodule.*.branch submodule.*.ignore submodule.*.fetchrecursesubmodules
        submodule.fetchjobs i18n.commitencoding i18n.logoutputencoding apply.whitespace http.postbuffer
        http.version http.lowspeedlimit http.lowspeedtime receive.denycurrentbranch
        receive.denynonfastforwards protocol.version versionsort.suffix checkout.defaultremote
        checkout.workers init.defaultbranch lfs.repositoryformatversion lfs.*.access
        gitflow.branch.* gitflow.prefix.* gui.wmstate gui.geometry format.pretty
        """,
    ),
    (
        _PLACE,
        """
        remote.*.url remote.*.pushurl branch.*.remote branch.*.pushremote remote.pushdefault submodule.*.url
        """,
    ),
    (_REF, "remote.*.fetch remote.*.push branch.*.merge"),
    (
        _ANY,
        """
        user.name user.email user.signingkey author.name author.email committer.name committer.email
        branch.*.description http.*.extraheader http.extraheader
        """,
    ),
    ("--tags|--no-tags", "remote.*.tagopt"),
    ("short", "diff.submodule"),
    ("checkout|rebase|merge|none", "submodule.*.update"),
    (re.escape(".git-blame-ignore-revs"), "blame.ignorerevsfile"),
)  # fmt: skip

# Formats that verify signatures, for which git starts gpg.
SIGNED = re.compile(r"%[-+ ]?G|signature")


def _patterns() -> dict[str, str]:
    found: dict[str, str] = {}
    for pattern, keys in _HARMLESS:
        for key in keys.split():
            found[key] = f"{found[key]}|{pattern}" if key in found else pattern
    return found


_PATTERNS = _patterns()


class UnreadableConfigError(PermissionsError):
    """A configuration that git, or we, cannot read; nothing is known of what it says."""


def load_config(path: Path, git: str | None) -> Settings:
    """Return the keys and values in a file; none if there is no file. Raises UnreadableConfigError."""
    try:
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise UnreadableConfigError(f"{path} is not an ordinary file")
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise UnreadableConfigError(f"{path} cannot be read: {error.strerror}") from error
    if len(content) > LARGEST:
        raise UnreadableConfigError(f"{path} is larger than {LARGEST // 1024} KiB")
    if git is None:
        raise UnreadableConfigError(f"no git outside the workspace can check {path}")
    settings = read_config(git, content)
    if settings is None:
        raise UnreadableConfigError(f"git cannot read {path}")
    return settings


def harmful_key(settings: Settings) -> str:
    """Return the first key that might make git run something or read elsewhere; empty if all are harmless."""
    return next((key for key, value in settings if not _harmless(key, value)), "")


@lru_cache(maxsize=64)
def read_config(git: str, content: bytes) -> Settings | None:
    """Ask git for the keys and values in `content`. Return None if git fails or cannot be started."""
    command = [git, "config", "--file", "-", "--no-includes", "-z", "--list"]
    environment = {
        "PATH": os.defpath,
        "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CEILING_DIRECTORIES": "/",
        "LC_ALL": "C",
    }
    try:
        done = subprocess.run(
            command,
            input=content,
            capture_output=True,
            cwd="/",
            env=environment,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode != 0:
        return None
    pieces = done.stdout.decode("utf-8", "replace").split("\0")
    pairs = (piece.partition("\n") for piece in pieces if piece)
    return tuple((key, value) for key, _, value in pairs)


def _harmless(key: str, value: str) -> bool:
    if key == "format.pretty" and SIGNED.search(value):
        return False
    return any(
        re.fullmatch(_PATTERNS[shape], value, re.IGNORECASE) for shape in _shapes(key) if shape in _PATTERNS
    )


def _shapes(key: str) -> Iterator[str]:
    """The key itself, and the key with a star for its subsection or its last part."""
    section, _, rest = key.partition(".")
    subsection, dot, name = rest.rpartition(".")
    if not dot:
        yield from (key, f"{section}.*")
        return
    yield from (f"{section}.*.{name}", f"{section}.{subsection}.*", f"{section}.*.*")
