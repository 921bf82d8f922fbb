"""`wakeful` on a real terminal, as in the tests of the app."""

from tests.tui.app.conftest import environment, project, start

__all__ = ["environment", "project", "start"]
