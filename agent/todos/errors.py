"""Why the list refused a change, in words that a model or a person can act on."""

from agent.tools.tool import ToolError


class TodoError(ToolError):
    """Nothing was written. The class names the reason for those who answer in codes."""


class UnknownTodoError(TodoError):
    pass


class StaleRevisionError(TodoError):
    pass


class AccessError(TodoError):
    pass


class ClaimedError(TodoError):
    pass


class ReasonError(TodoError):
    """An item became blocked without a reason; each dialect has its own parameter for it."""


class CheckError(TodoError):
    pass
