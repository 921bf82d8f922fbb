"""What scripted models say in the app: stories that pictures, snapshots and attacks are made of."""

from __future__ import annotations

import asyncio
from pathlib import Path

from agent.models.scripted import Answer, Scripted, said
from store.records import Usage

PLAN = [
    {"title": "Read the test and what it calls"},
    {"title": "Run it twenty times"},
    {"title": "Find where the clock comes in"},
    {"title": "Fix the race", "priority": "high", "check": "python -m pytest -q"},
    {"title": "Add a regression test", "depends_on": [4]},
    {"title": "Look for the same mistake elsewhere", "priority": "low"},
    {
        "title": "Update the changelog",
        "status": "blocked",
        "blocked_reason": "needs the version number",
        "blocked_on": "human",
    },
]
FOUND = """\
The test is right; the code is not. `Session.is_expired` reads the clock **twice**, and a session that ends
between the two readings is both valid and expired:

| reading | line | used for |
|---|---:|---|
| `time()` | 8 | the answer |
| `time()` | 9 | what is logged |

```python
def is_expired(self, now: float) -> bool:
    return now >= self.ends_at
```

One reading, handed in by the caller, makes it testable as well."""
EDIT = {
    "path": "app/session.py",
    "old": "    def is_expired(self):\n        if time() >= self.ends_at:\n            log(time())\n"
    "            return True\n        return False\n",
    "new": "    def is_expired(self, now):\n        return now >= self.ends_at\n",
}
COST = Usage(input=46_800, output=910)


def project(folder: Path) -> None:
    """A small web shop with a test that fails now and then."""
    for name, text in {
        "README.md": "# Shop\n\nA small shop.\n",
        "app/session.py": "from time import time\n\nfrom app.log import log\n\n\nclass Session:\n"
        "    def __init__(self, ends_at):\n        self.ends_at = ends_at\n\n" + EDIT["old"],
        "app/log.py": "def log(text):\n    print(text)\n",
        "tests/test_login.py": "from app.session import Session\n\n\ndef test_login():\n"
        "    assert not Session(1e12).is_expired()\n",
        "check.py": "print('20 runs, 3 failed: test_login')\n",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def login(*, ending: str = "") -> Scripted:
    """A bug is found and mended. It stops and waits for ever before the step that `ending` names."""
    steps: dict[str, Answer] = {
        "plan": said(
            "I'll look at the test first, then at what makes it fail.",
            ("todo_add", {"items": PLAN}),
            ("todo_update", {"id": 1, "status": "in_progress"}),
            ("read", {"path": "tests/test_login.py"}),
            ("read", {"path": "app/session.py"}),
            usage=COST,
        ),
        "run": said(
            "",
            ("todo_complete", {"id": 1}),
            ("todo_update", {"id": 2, "status": "in_progress"}),
            ("shell", {"command": "python3 check.py"}),
            ("grep", {"pattern": "time\\(\\)"}),
            usage=COST,
        ),
        "found": said(
            FOUND,
            ("todo_complete", {"ids": [2, 3]}),
            ("todo_update", {"id": 4, "status": "in_progress"}),
            reasoning="The log line reads the clock again. That is the race.",
            usage=COST,
        ),
        "edit": said("", ("edit", EDIT), usage=COST),
        "shell": said("", ("shell", {"command": "python3 -m pytest -q tests/test_login.py"}), usage=COST),
        "end": said(
            "Fixed: one reading of the clock.",
            ("todo_complete", {"ids": [4, 5, 6]}),
            usage=COST,
        ),
        "last": said("The race is gone. The changelog waits for a version number from you.", usage=COST),
    }
    answers = [(asyncio.Event(), *answer) if name == ending else answer for name, answer in steps.items()]
    return Scripted(answers)
