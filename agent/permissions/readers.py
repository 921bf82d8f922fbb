"""The programs that only look, each with the shape of the calls that are known to do no more."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.permissions.bash import Word
from agent.permissions.shapes import Shape, ShapeError, Use, uses

_GREP = Shape(
    "-acEFGHhiILlnoPqsTUvwxyZz -r -# -A:N -B:N -C:N -e:T -f:F -m:N --after-context:N"
    " --before-context:N --context:N --regexp:T --file:F --max-count:N --count --extended-regexp"
    " --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case --invert-match"
    " --word-regexp --line-regexp --files-with-matches --files-without-match --only-matching --quiet"
    " --silent --no-messages --byte-offset --with-filename --no-filename --line-number --initial-tab"
    " --null --null-data --text --include:T --exclude:T --exclude-dir:T --label:T --recursive"
    " --line-buffered --color?:T --colour?:T",
    "T F*",
    walking="-r --recursive",
    replacing="-e --regexp -f --file",
)
_SUM = Shape("-btz --binary --text --zero --tag", "F*")
_FD = Shape(
    "-HIusigFap01 -d:N -t:T -e:T -E:T -S:T --hidden --no-ignore --ignore-case --case-sensitive --glob"
    " --fixed-strings --regex --absolute-path --full-path --print0 --max-depth:N --min-depth:N"
    " --exact-depth:N --type:T --extension:T --exclude:T --size:T --max-results:N --color:T"
    " --changed-within:T --changed-before:T",
    "T? D*",
)

READERS: dict[str, Shape] = {
    "basename": Shape("-az -s:T --multiple --suffix:T --zero", "T*"),
    "cat": Shape(
        "-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs"
        " --show-nonprinting",
        "F*",
    ),
    "cd": Shape("", "P"),
    "cksum": Shape("-l:N -a:T --algorithm:T --length:N --untagged", "F*"),
    "cmp": Shape(
        "-bls -i:T -n:N --print-bytes --ignore-initial:T --verbose --bytes:N --quiet --silent",
        "R R N? N?",
    ),
    "comm": Shape(
        "-123z --check-order --nocheck-order --output-delimiter:T --total --zero-terminated",
        "F F",
    ),
    "cut": Shape(
        "-nsz -b:T -c:T -d:T -f:T --bytes:T --characters:T --delimiter:T --fields:T --complement"
        " --only-delimited --output-delimiter:T --zero-terminated",
        "F*",
    ),
    "date": Shape(
        "-uR -d:T -r:P --date:T --reference:P --utc --universal --rfc-email --iso-8601?:T"
        " --rfc-3339:T",
        "S?",
    ),
    "df": Shape(
        "-ahHiklmPT -B:T -t:T -x:T --all --human-readable --si --inodes --local --portability --total"
        " --print-type --block-size:T --type:T --exclude-type:T --output?:T",
        "P*",
    ),
    "diff": Shape(
        "-abBcdeEinpqstTuwyZ -C:N -U:N -W:N -F:T -I:T --brief --report-identical-files --context?:N"
        " --unified?:N --ed --normal --side-by-side --width:N --suppress-common-lines --label:T"
        " --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change"
        " --ignore-all-space --ignore-blank-lines --ignore-matching-lines:T --strip-trailing-cr --minimal"
        " --text --show-c-function --color?:T",
        "R R",
    ),
    "dirname": Shape("-z --zero", "T*"),
    "du": Shape(
        "-0abchkmsSx -d:N -t:T -B:T --null --all --apparent-size --bytes --total --human-readable"
        " --max-depth:N --summarize --separate-dirs --one-file-system --exclude:T --threshold:T"
        " --block-size:T --si --inodes",
        "D*",
    ),
    "egrep": _GREP,
    "expand": Shape("-i -t:T --initial --tabs:T", "F*"),
    "fd": _FD,
    "fdfind": _FD,
    "fgrep": _GREP,
    "file": Shape(
        "-bhikNn0r --brief --mime --mime-type --mime-encoding --extension --no-dereference --keep-going"
        " --no-pad --no-buffer --print0 --raw",
        "F*",
    ),
    "find": Shape(
        "( ) ! , -not -a -and -o -or -P -name:T -iname:T -path:T -ipath:T -wholename:T -iwholename:T"
        " -regex:T -iregex:T -regextype:T -type:T -size:T -empty -mtime:T -mmin:T -atime:T -amin:T"
        " -ctime:T -cmin:T -newer:P -anewer:P -cnewer:P -samefile:P -newermt:T -perm:T -user:T"
        " -group:T -uid:T -gid:T -nouser -nogroup -links:T -inum:T -lname:T -ilname:T -readable"
        " -writable -executable -maxdepth:N -mindepth:N -depth -mount -xdev -daystart -noleaf -prune"
        " -quit -true -false -print -print0 -printf:T -ls",
        "D*",
        "words",
    ),
    "fold": Shape("-bs -w:N --bytes --spaces --width:N", "F*"),
    "free": Shape("-bkmghtwl --bytes --kibi --mebi --gibi --human --si --total --wide --lohi"),
    "grep": _GREP,
    "groups": Shape("", "T*"),
    "head": Shape(
        "-qvz -# -n:N -c:N --lines:N --bytes:N --quiet --silent --verbose --zero-terminated",
        "F*",
    ),
    "id": Shape("-agGnruz --group --groups --name --real --user --zero", "T*"),
    "join": Shape(
        "-iz -1:N -2:N -a:N -e:T -j:N -o:T -t:T -v:N --ignore-case --check-order --nocheck-order"
        " --header",
        "F F",
    ),
    "ls": Shape(
        "-aAbBcCdfFgGhiklmnNopqQrRsStuUvxXZ1 -I:T -w:N -T:N --all --almost-all --author --escape"
        " --ignore-backups --directory --classify?:T --file-type --format:T --full-time"
        " --group-directories-first --no-group --human-readable --si --hide:T --hyperlink?:T"
        " --indicator-style:T --inode --ignore:T --kibibytes --numeric-uid-gid --literal --quote-name"
        " --quoting-style:T --reverse --recursive --size --sort:T --time:T --time-style:T --width:N"
        " --zero --color?:T",
        "P*",
        walking="-R --recursive",
    ),
    "nl": Shape(
        "-p -b:T -d:T -f:T -h:T -i:N -l:N -n:T -s:T -v:N -w:N --body-numbering:T --number-format:T"
        " --number-separator:T --number-width:N --starting-line-number:N",
        "F*",
    ),
    "nproc": Shape("--all --ignore:N"),
    "od": Shape(
        "-abcdfilosvx -A:T -j:N -N:N -t:T --address-radix:T --skip-bytes:N --read-bytes:N --format:T"
        " --output-duplicates",
        "F*",
    ),
    "paste": Shape("-sz -d:T --serial --delimiters:T --zero-terminated", "F*"),
    "pwd": Shape("-LP"),
    "readlink": Shape(
        "-efmnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --zero",
        "P*",
    ),
    "realpath": Shape(
        "-emLPqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet --strip"
        " --no-symlinks --zero --relative-to:P --relative-base:P",
        "P*",
    ),
    "rev": Shape("", "F*"),
    "rg": Shape(
        "-abcFHIilnNoPpqsSUvwx0 -. -u -A:N -B:N -C:N -m:N -M:N -j:N -d:N -e:T -f:F -g:T -r:T -t:T"
        " -T:T --after-context:N --before-context:N --context:N --max-count:N --max-columns:N"
        " --max-depth:N --max-filesize:T --threads:N --regexp:T --file:F --glob:T --iglob:T"
        " --replace:T --type:T --type-not:T --color:T --colors:T --sort:T --sortr:T --files --text"
        " --byte-offset --count --count-matches --fixed-strings --with-filename --no-filename"
        " --ignore-case --files-with-matches --files-without-match --line-number --no-line-number"
        " --only-matching --pcre2 --pretty --quiet --case-sensitive --smart-case --multiline"
        " --multiline-dotall --invert-match --word-regexp --line-regexp --null --hidden --no-ignore"
        " --no-ignore-vcs --no-config --no-messages --heading --no-heading --column --trim --stats"
        " --json --vimgrep --passthru",
        "T H*",
        walking="-. --hidden -u -g --glob --iglob -t --type",
        replacing="-e --regexp -f --file --files",
    ),
    "seq": Shape("-w -# -f:T -s:T --equal-width --format:T --separator:T", "N N? N?"),
    "sleep": Shape("", "N*"),
    "sort": Shape(
        "-bcCdfghiMmnRrsuVz -k:T -t:T --ignore-leading-blanks --dictionary-order --ignore-case"
        " --reverse --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort"
        " --numeric-sort --random-sort --version-sort --sort:T --check?:T --key:T --field-separator:T"
        " --merge --stable --unique --zero-terminated --parallel:N",
        "F*",
    ),
    "stat": Shape("-ft -c:T --format:T --printf:T --file-system --terse", "P*"),
    "tac": Shape("-br -s:T --before --regex --separator:T", "F*"),
    "tail": Shape(
        "-qvz -# -n:N -c:N --lines:N --bytes:N --quiet --silent --verbose --zero-terminated",
        "F*",
    ),
    "tr": Shape("-cCdst --complement --delete --squeeze-repeats --truncate-set1", "T T?"),
    "tree": Shape(
        "-a -d -f -i -s -h -p -u -g -D -F -q -N -Q -r -t -c -U -v -S -n -C -A -J -X -x -L:N -I:T -P:T"
        " --dirsfirst --filesfirst --noreport --du --si --prune --gitignore --inodes --device",
        "D*",
        "words",
    ),
    "type": Shape("-afptP", "P*"),
    "uname": Shape("-asnrvmpio --all --kernel-name --nodename --kernel-release --machine --operating-system"),
    "uniq": Shape(
        "-cdDiuz -f:N -s:N -w:N --count --repeated --all-repeated?:T --skip-fields:N --group?:T"
        " --ignore-case --skip-chars:N --unique --check-chars:N --zero-terminated",
        "F?",
    ),
    "uptime": Shape("-ps --pretty --since"),
    "wc": Shape("-clLmw --bytes --chars --lines --max-line-length --words --total:T", "F*"),
    "which": Shape("-as --all", "P*"),
    "whoami": Shape(),
    "xxd": Shape("-a -b -e -E -p -ps -plain -u -c:N -g:N -l:N -o:N -s:N", "F?", "words"),
    **dict.fromkeys(("md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum"), _SUM),
    "b2sum": Shape(f"{_SUM.options} -l:N --length:N", "F*"),
}  # fmt: skip

_PLAIN_WORDS = frozenset({"echo", "true", "false"})
NAMES = frozenset({*READERS, *_PLAIN_WORDS, "printf", "sed"})

_SED_ADDRESS = r"(?:\d+|\$|/[^/\\\n]*/)"
_SED_SCRIPT = re.compile(
    rf"(?:{_SED_ADDRESS}(?:,{_SED_ADDRESS})?)?[pdq=]"
    r"|s([/|,#:@])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gIip0-9]*"
)
_SED = Shape("-nErsz --quiet --silent --regexp-extended --separate --null-data", "T F*")
_PRINTF_STORES = re.compile(r"%[^A-Za-z%]*[hljztL]*n")


def reader_uses(name: str, words: Sequence[Word]) -> tuple[Use, ...]:
    """Return what the reader does with each argument. Raise ShapeError if it might do more than look."""
    if name in _PLAIN_WORDS or name == "printf":
        return _texts(name, words)
    found = uses(_SED if name == "sed" else READERS[name], words)
    if name == "sed" and not any(use.kind == "T" and _SED_SCRIPT.fullmatch(use.word.text) for use in found):
        raise ShapeError("a sed script that is not known to only print")
    if name == "cd" and (".." in words[-1].text.split("/") or words[-1].text == "-"):
        raise ShapeError("cd to a place that is not spelled out")
    return found


def _texts(name: str, words: Sequence[Word]) -> tuple[Use, ...]:
    """For programs that print or ignore their words; a pattern would list the names of a folder."""
    pattern = next((word.text for word in words if word.glob), "")
    if pattern:
        raise ShapeError(f"{pattern} can become any number of words")
    texts = [word.text for word in words]
    if name == "printf" and ("".join(texts[:1]).startswith("-") or any(map(_PRINTF_STORES.search, texts))):
        raise ShapeError("printf can store into variables")
    return ()
