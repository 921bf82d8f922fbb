"""Tells from the words of a request which job is meant; when in doubt, none."""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.models.planner.comments import FindComments
from agent.models.planner.commits import SummariseCommits
from agent.models.planner.explain import ExplainFile
from agent.models.planner.sizes import LargestFiles
from agent.models.planner.survey import Survey
from agent.models.planner.testing import RunTests
from agent.models.planner.work import Job

LONGEST = 2_000

_REPORTING = re.compile(
    r"\b(?:write|create|make|add)\b[\w\s]{0,20}\b(?:plan|summary|report|overview|list|todos?)\b"
)
_CHANGING = re.compile(
    r"\b(?:fix|write|implement|refactor|rewrite|create|delete|remove|rename|translate|optimi[sz]e|install"
    r"|deploy|commit (?:it|them|this|my|the|all)|push|debug|solve|resolve"
    r"|add|build|make (?:it|the|a)|generate)\b"
)
_TESTS = re.compile(
    r"\b(?:run|execute|start|try|launch|rerun)\b.{0,40}\b(?:tests?|test[- ]?suite|specs?|pytest)\b"
    r"|\b(?:do|does|are|is|check (?:if|that|whether))\b.{0,20}\btests?\b.{0,20}\b(?:pass|green|ok|work|fail)"
    r"|\A\W*(?:(?:run|execute)\s+)?(?:pytest|make test|npm (?:run )?test|cargo test|go test)\b\W*\Z"
)
_COMMITS = re.compile(
    r"\bgit (?:log|history)\b|\bcommits\b|\bcommit (?:history|log)\b|\blast commit\b"
    r"|\brecent (?:git )?(?:changes|history|work|activity|development)\b"
    r"|\bwhat(?:'s| has| was)?\b.{0,20}\b(?:changed|happened)\b"
    r".{0,20}\b(?:recently|lately|last|here|repo\w*)\b"
    r"|\b(?:summari[sz]e|show|describe|explain)\b.{0,20}\bhistory\b"
)
_COMMENTS = re.compile(
    r"\bfixmes?\b|\btodos?\b.{0,12}\b(?:comments?|markers?|notes?)\b"
    r"|\b(?:find|search|grep|collect|look for|hunt)\b.{0,20}\btodos?\b"
    r"|\btodos?\b.{0,20}\bin (?:the |this |my )?(?:code|files?|source|project|repo\w*)\b"
)
_SIZES = re.compile(
    r"\b(?:largest|biggest|longest|heaviest|hugest|fattest)\b.{0,30}\bfiles?\b"
    r"|\b(?:large|big|huge) files\b|\bfiles?\b.{0,20}\bby (?:size|length)\b"
    r"|\btak(?:es?|ing)\b.{0,20}\b(?:space|room)\b"
)
_SURVEY = re.compile(
    r"\b(?:survey|overview|tour|explore|inspect|analy[sz]e|describe|summari[sz]e|explain|understand|outline|map"
    r"|study|examine|introduce|look (?:around|at|over|into)|walk me through|tell me about|show me"
    r"|what(?:'s| is| does)?|how is)\b"
    r".{0,40}\b(?:project|repo|repository|code ?base|code|folder|directory|workspace|program|package)\b"
    r"|\A\W*(?:please\s+)?(?:survey|look around|(?:give me )?an? overview)\b.{0,20}\Z"
)
_EXPLAIN = re.compile(
    r"\b(?:explain|describe|summari[sz]e|outline|read|show|look at|look into|walk me through|tell me about"
    r"|understand|analy[sz]e|inspect|what(?:'s| is| does| do)|how does)\b"
)
_PATH = re.compile(
    r"[`\"'](?P<quoted>[^`\"'\n]{1,200})[`\"']"
    r"|(?<![\w/:.@-])@?(?P<plain>(?:\.{0,2}/)?(?:[\w@+.-]+/)*(?:[\w@+-]+(?:\.[\w@+-]+)*\.[A-Za-z]\w{0,9}"
    r"|Makefile|Dockerfile|Justfile|README|LICENSE|CHANGELOG|Gemfile|Rakefile|Procfile))(?![\w/:])"
    r"|(?<![\w/:.@-])@?(?P<deep>(?:[\w@+.-]+/)+[\w@+.-]*\w)(?![\w/:])"
)


def recognises(text: str) -> bool:
    """Whether the planner has a job for these words; where nobody watches, no is a usage error."""
    return job_for(text) is not None


def job_for(text: str) -> Job | None:
    """A fresh job, since jobs remember what they found."""
    if not text.strip() or len(text) > LONGEST:
        return None
    words = " ".join(text.lower().split())
    if _CHANGING.search(_REPORTING.sub(" ", words)):
        return None
    makers: tuple[tuple[re.Pattern[str], Callable[[], Job]], ...] = (
        (_TESTS, lambda: RunTests(words)),
        (_COMMENTS, FindComments),
        (_SIZES, LargestFiles),
        (_COMMITS, lambda: SummariseCommits(words)),
    )
    for pattern, make in makers:
        if pattern.search(words):
            return make()
    path = path_in(text)
    if path and _EXPLAIN.search(words):
        return ExplainFile(path)
    return Survey() if _SURVEY.search(words) else None


def path_in(text: str) -> str | None:
    """The file a request names: quoted, marked with @, or something that looks like one."""
    for found in _PATH.finditer(text):
        quoted = found["quoted"]
        if quoted is None:
            return found["plain"] or found["deep"]
        if re.fullmatch(r"@?[\w@+./ -]*[\w/.-]", quoted) and re.search(r"[./]|[A-Z]\w+file", quoted):
            return quoted.removeprefix("@")
    return None
