"""Where the plan is: beside the conversation, over it, in one line above the prompt, or nowhere."""

from __future__ import annotations

from typing import NamedTuple

# Narrower than this the plan lies over the conversation instead of beside it.
BESIDE = 100


class Whereabouts(NamedTuple):
    """`wanted` is remembered; `called` says that the user asked for it here and now, plan or no plan."""

    wanted: bool = True
    called: bool = False
    planned: bool = False
    columns: int = BESIDE

    @property
    def narrow(self) -> bool:
        return self.columns < BESIDE

    @property
    def beside(self) -> bool:
        return not self.narrow and self.wanted and (self.planned or self.called)

    @property
    def over(self) -> bool:
        return self.narrow and self.called

    @property
    def strip(self) -> bool:
        return self.narrow and self.planned and not self.called

    @property
    def shown(self) -> bool:
        return self.beside or self.over

    def toggled(self) -> Whereabouts:
        """Over the conversation it is looked at for a moment; whether it is wanted is said beside it."""
        called = not self.shown
        return self._replace(called=called, wanted=self.wanted if self.narrow else called)
