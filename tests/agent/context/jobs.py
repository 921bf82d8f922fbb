"""A model that reads one large file after the other and can be asked for a summary."""

from collections.abc import Callable, Sequence
from pathlib import Path

from agent.context.pages import page
from agent.models.body import encode
from agent.models.protocol import Chunk, Finish, ModelError, Request
from agent.models.scripted import Answer, Scripted, said
from store.records import Usage

CONTEXT = 16_000
SMALL = (f"model.context={CONTEXT}", "model.max_output=2000")


def is_wish(request: Request) -> bool:
    return str(request.messages[-1].get("content")).startswith(page("request")[:60])


def length(request: Request) -> int:
    """Tokens as a provider counts them that has four bytes in each."""
    return len(encode(request, request.model)) // 4


def counted(request: Request, *chunks: Chunk) -> tuple[Chunk, ...]:
    return tuple(
        Finish(chunk.reason, Usage(input=length(request), output=50)) if isinstance(chunk, Finish) else chunk
        for chunk in chunks
    )


def files(project: Path, count: int, size: int) -> None:
    for number in range(count):
        (project / f"{number}.txt").write_text(f"file {number} " + f"{'x' * 59}\n" * (size // 60))


class Job:
    """`steps` reads in a turn, then a word; `wish` answers the requests for a summary."""

    def __init__(
        self, steps: int, wish: Callable[[Request], Answer] = lambda _: said("THE SUMMARY"), *, talk: int = 0
    ) -> None:
        self.steps = steps
        self.model = Scripted(self.answer)
        self.wishes: list[Request] = []
        self.requests: list[Request] = []
        self._wish = wish
        self._talk = talk
        self._done = 0

    def answer(self, request: Request) -> Answer:
        if is_wish(request):
            self.wishes.append(request)
            return _measured(request, self._wish(request))
        self.requests.append(request)
        self._done += 1
        if self._done > self.steps:
            self._done = 0
            return counted(request, *said("all read"))
        path = {"path": f"{self._done - 1}.txt"}
        return counted(request, *said("t" * self._talk, ("read", path)))


def _measured(request: Request, answer: Answer) -> Sequence[Chunk | ModelError]:
    chunks = [item for item in answer if not isinstance(item, ModelError)]
    if len(chunks) < len(answer):
        return [item for item in answer if isinstance(item, ModelError)]
    return counted(request, *chunks)  # type: ignore[arg-type]  # no test of these waits inside an answer
