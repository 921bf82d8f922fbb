"""Test runners, linters and build tools: a rule with `*` frees them if it names the tool and the job."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from agent.permissions.bash import Word
from agent.permissions.shapes import Shape, ShapeError, Use, uses
from store.frozen import frozen


@frozen
class ProjectTool:
    """`jobs` are the subcommands, `*` stands for any plain name; without jobs the tool has one job.

    `forwarded` is what may follow `--`; the tool hands it to the program that it runs.
    """

    shape: Shape
    jobs: str = ""
    forwarded: Shape | None = None


_MAKE = ProjectTool(
    Shape("-kBisn -j:N --keep-going --silent --quiet --dry-run --always-make --jobs:N --no-print-directory"),
    "*",
)
_SCRIPTS = Shape("-s --silent --if-present --workspaces -w:T --workspace:T", "P*")
_GRADLE = ProjectTool(
    Shape("-qis --quiet --info --stacktrace --offline --continue --no-daemon --console:T --tests:T"),
    "test check build assemble compileJava compileKotlin compileTestJava lint",
)
_MAVEN = ProjectTool(
    Shape("-qoBeV --quiet --offline --batch-mode --errors --fail-fast --fail-at-end"),
    "test verify compile test-compile package validate",
)
_JAVASCRIPT_TESTS = ProjectTool(
    Shape(
        "-i -t:T --ci --runInBand --verbose --bail --silent --testNamePattern:T --passWithNoTests",
        "P*",
    )
)

PROJECT_TOOLS: dict[str, ProjectTool] = {
    "pytest": ProjectTool(
        Shape(
            "-xvqslh -k:T -m:T -n:T -r:T --exitfirst --verbose --quiet --showlocals --last-failed --lf"
            " --failed-first --ff --new-first --nf --stepwise --sw --collect-only --co --no-header"
            " --no-summary --disable-warnings --strict-markers --runxfail --maxfail:N --tb:T --durations:N"
            " --durations-min:N --capture:T --color:T --show-capture:T --ignore:P --deselect:T"
            " --setup-show --fixtures --markers --no-cov --timeout:N",
            "P*",
        )
    ),
    "npm": ProjectTool(_SCRIPTS, "test t run:* run-script:*", Shape("", "P*")),
    "yarn": ProjectTool(_SCRIPTS, "test lint build check typecheck run:*", Shape("", "P*")),
    "pnpm": ProjectTool(_SCRIPTS, "test t lint build check typecheck run:*", Shape("", "P*")),
    "make": _MAKE,
    "gmake": _MAKE,
    "ninja": ProjectTool(Shape("-nv -j:N -k:N --verbose --quiet"), "*"),
    "just": ProjectTool(Shape("-nqv --dry-run --quiet --verbose"), "*"),
    "rake": ProjectTool(Shape("-nqst --dry-run --quiet --silent --trace"), "*"),
    "gradle": _GRADLE,
    "gradlew": _GRADLE,
    "mvn": _MAVEN,
    "mvnw": _MAVEN,
    "cargo": ProjectTool(
        Shape(
            "-rqv -F:T -p:T -j:N --release --all --workspace --all-targets --all-features"
            " --no-default-features --features:T --package:T --exclude:T --lib --bins --bin:T --tests"
            " --test:T --examples --example:T --benches --bench:T --doc --locked --offline --frozen"
            " --quiet --verbose --jobs:N --keep-going --message-format:T --color:T --no-run --no-fail-fast"
            " --no-deps",
            "P*",
        ),
        "check c test t build b clippy bench",
        Shape(
            "-D:T -W:T -A:T --nocapture --test-threads:N --ignored --include-ignored --exact --skip:T"
            " --list --show-output",
            "P*",
        ),
    ),
    "go": ProjectTool(
        Shape(
            "-v -race -short -failfast -cover -benchmem -json -n -x -count:N -run:T -bench:T -skip:T"
            " -list:T -timeout:T -parallel:N -p:N -tags:T -cpu:T -shuffle:T",
            "P*",
            "go",
        ),
        "test vet list",
    ),
    "dotnet": ProjectTool(
        Shape("-v:T -c:T --no-restore --no-build --nologo --filter:T --configuration:T --verbosity:T", "P*"),
        "test build",
    ),
    "tox": ProjectTool(Shape("-qvl -e:T --list --skip-missing-interpreters")),
    "nox": ProjectTool(Shape("-rlRv -s:T -k:T -t:T --list --reuse-existing-virtualenvs")),
    "ruff": ProjectTool(
        Shape(
            "-qvsn --quiet --verbose --silent --no-cache --diff --no-fix --check --statistics --show-files"
            " --select:T --ignore:T --extend-select:T --preview --exit-zero --exclude:T",
            "P*",
        ),
        "check",
    ),
    "mypy": ProjectTool(
        Shape(
            "-v -m:T -p:T --strict --ignore-missing-imports --no-incremental --pretty --show-error-codes"
            " --verbose --module:T --package:T --exclude:T --namespace-packages --explicit-package-bases",
            "P*",
        )
    ),
    "pyright": ProjectTool(Shape("--warnings --stats --outputjson --verbose --level:T", "P*")),
    "basedpyright": ProjectTool(Shape("--warnings --stats --outputjson --verbose --level:T", "P*")),
    "flake8": ProjectTool(
        Shape("-qv --quiet --verbose --select:T --ignore:T --max-line-length:N --count", "P*")
    ),
    "shellcheck": ProjectTool(
        Shape("-s:T -S:T -e:T -f:T --shell:T --severity:T --exclude:T --format:T", "F*")
    ),
    "eslint": ProjectTool(Shape("--quiet --max-warnings:N --ext:T --no-color --color", "P*")),
    "jest": _JAVASCRIPT_TESTS,
    "vitest": _JAVASCRIPT_TESTS,
    "rspec": ProjectTool(
        Shape("-e:T -t:T --example:T --tag:T --fail-fast --color --no-color --dry-run", "P*")
    ),
}

_PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.:-]*")


def job_length(name: str, words: Sequence[str]) -> int:
    """Return how many words name the tool and its job; 0 if the call names no job that a rule can free."""
    jobs = PROJECT_TOOLS[name].jobs.split()
    if not jobs:
        return 1
    first, second = [*words[1:3], "", ""][:2]
    if f"{first}:*" in jobs:
        return 3 if _PLAIN_NAME.fullmatch(second) else 0
    return 2 if first in jobs or ("*" in jobs and _PLAIN_NAME.fullmatch(first)) else 0


def tool_uses(name: str, words: Sequence[Word], literal: str) -> tuple[Use, ...]:
    """Return the use of each word that the rule leaves open. Raise ShapeError if the rule does not free it.

    The words that the rule spells in full are the user's own, so that its options may be any.
    """
    texts = [word.text for word in words]
    length = job_length(name, texts)
    spelled = _common_length(literal.split(), texts)
    if not 0 < length <= spelled:
        raise ShapeError(f"the rule must name the job of {name}, such as: {name} test *")
    # The value of a last option may be anything, unless the rule spells it out too.
    spelled = length if texts[spelled - 1].startswith("-") else spelled
    tool = PROJECT_TOOLS[name]
    rest = words[spelled:]
    if any(word.text.startswith("@") for word in rest):
        raise ShapeError(f"{name} may read options from a file")
    found = [index for index, word in enumerate(rest) if word.text == "--"]
    if not found or tool.forwarded is None:
        return uses(tool.shape, rest)
    return (*uses(tool.shape, rest[: found[0]]), *uses(tool.forwarded, rest[found[0] + 1 :]))


def _common_length(first: Sequence[str], second: Sequence[str]) -> int:
    same = takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False))
    return sum(1 for _ in same)
