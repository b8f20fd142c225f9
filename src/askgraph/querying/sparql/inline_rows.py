"""Blocks of VALUES that share no variable: every row of one goes with every row of the other."""

from __future__ import annotations

from ..source import SourceText
from ..tree import SyntaxNode, children
from .pattern_tree import Group, GroupPattern, InlineValues, NamedGraphPattern, SubSelect, UnionPattern
from .query_tree import AnyForm


def check_inline_rows(form: AnyForm, source: SourceText, most: int) -> None:
    """Raise :class:`QueryRefusedError` (code ``"cost"``) if the blocks of one group make more rows together."""
    _InlineRows(source, most).check(form, form.values)


class _InlineRows:
    def __init__(self, source: SourceText, most: int) -> None:
        self.source = source
        self.most = most

    def check(self, node: SyntaxNode, values: InlineValues | None) -> None:
        """Look at every group below a node; ``values`` are those at the end of the query that it is."""
        for child in children(node):
            if isinstance(child, SubSelect):
                self.check(child, child.values)
            elif isinstance(child, Group):
                self._check_group(child, values)
            else:
                self.check(child, None)

    def _check_group(self, group: Group, values: InlineValues | None) -> None:
        blocks = [values] if values is not None else []
        self._rows(group, blocks)
        rows, seen = 1, set[str]()
        for block in blocks:
            names = {variable.name for variable in block.variables}
            if names.isdisjoint(seen):
                rows *= max(1, len(block.rows))
            seen |= names
            if rows > self.most:
                raise self.source.refusal(
                    block.span,
                    f"these blocks of VALUES make {rows:,} rows together",
                    code="cost",
                    advice=f"At most {self.most:,} are allowed. Put values that belong together into one block.",
                )
        self.check(group, None)

    def _rows(self, group: SyntaxNode, blocks: list[InlineValues]) -> None:
        """Add the blocks whose rows are joined in this group."""
        for element in children(group):
            if isinstance(element, InlineValues):
                blocks.append(element)
            elif isinstance(element, GroupPattern | NamedGraphPattern):
                self._rows(element, blocks)
            elif isinstance(element, SubSelect):
                self._rows(element.where, blocks)
                if element.values is not None:
                    blocks.append(element.values)
            elif isinstance(element, UnionPattern):
                largest: list[InlineValues] = []
                for branch in element.branches:
                    found: list[InlineValues] = []
                    self._rows(GroupPattern((branch,)), found)
                    largest = max(largest, found, key=_product)
                blocks += largest


def _product(blocks: list[InlineValues]) -> int:
    rows = 1
    for block in blocks:
        rows *= max(1, len(block.rows))
    return rows
