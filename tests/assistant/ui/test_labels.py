"""Labels of the app: Streamlit reads them as Markdown, so that a text from outside must be escaped in each.

The calls are found in the code: a page that comes later is held to the same.
"""

from __future__ import annotations

import ast

import pytest

from assistant.reports.markdown_form import escape_markdown
from tests.assistant.ui import factory
from tests.assistant.ui.conftest import ROOT

UI = ROOT / "assistant" / "ui"
PICTURE = "![x](http://evil.example/p.png)"
MARKDOWN_ELEMENTS = frozenset(
    "badge button caption checkbox date_input download_button error expander file_uploader "
    "form_submit_button header info link_button markdown metric multiselect number_input "
    "page_link pills popover progress radio segmented_control select_slider selectbox slider "
    "spinner status subheader success tabs text_area text_input time_input title toast toggle "
    "warning write camera_input audio_input chat_input feedback menu_button divider".split()
)
MARKDOWN_KEYWORDS = ("label", "text", "help", "caption", "captions", "body", "options")
# Elements whose first argument is not a label.
NUMBER_FIRST = ("progress",)
PAGE_FIRST = ("page_link",)
OTHER_OBJECTS = ("review_queue.", "export_menu.", "files.", "sys.stdout.", "app.stdin.")
# Calls and attributes that give Lectern's own words, numbers and the names of its own samples.
OWN_WORDS = frozenset(
    ("wording.count", "wording.below_list", "_sample_name", "words.label", "words.outcome")
    + ("words.button", "ORDER_WORDS[current].lower", "list")
)
# Choices are shown as plain text, except by these elements.
MARKDOWN_CHOICES = ("radio", "pills", "segmented_control")


class Labels(ast.NodeVisitor):
    """The Markdown arguments in a module that may hold a text from outside."""

    def __init__(self, module):
        self.unsafe = []
        self.assignments = [{}]
        self.visit(module)

    def visit_FunctionDef(self, node):
        values = {}
        for child in ast.walk(node):
            if isinstance(child, ast.Assign) and isinstance(child.targets[0], ast.Name):
                values.setdefault(child.targets[0].id, []).append(child.value)
        if node.name == "draw_permission_switch":  # its callers are looked at instead
            values["label"] = [ast.Constant("")]
        self.assignments.append(values)
        self.generic_visit(node)
        self.assignments.pop()

    def visit_Call(self, node):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        is_element = name in MARKDOWN_ELEMENTS and isinstance(node.func, ast.Attribute)
        if (
            is_element
            and not ast.unparse(node.func).startswith(OTHER_OBJECTS)
            or name == "draw_permission_switch"
        ):
            self._check(node, name)
        self.generic_visit(node)

    def _check(self, node, name):
        arguments = [] if name in NUMBER_FIRST + PAGE_FIRST else node.args[:1]
        if name == "draw_permission_switch":
            arguments = node.args[1:2]
        for keyword in node.keywords:
            is_choice = keyword.arg in ("options", "format_func")
            if keyword.arg in MARKDOWN_KEYWORDS and not is_choice:
                arguments = [*arguments, keyword.value]
        if name in MARKDOWN_CHOICES:
            arguments = [*arguments, *node.args[1:2]]
        for argument in arguments:
            if not self._is_safe(argument) and not self._has_safe_choices(node, argument):
                self.unsafe.append(f"{node.lineno}: {ast.unparse(argument)}")

    def _has_safe_choices(self, node, argument):
        """Return whether an argument is the choices, and a function of Lectern's words shows them."""
        shown_by = {k.arg: ast.unparse(k.value) for k in node.keywords}.get("format_func", "")
        is_escaped = "WORDS[" in shown_by or "_claim_option(" in shown_by
        is_escaped = is_escaped or "_chip_label(" in shown_by
        is_date = shown_by == "with_weekday"
        return argument in node.args[1:2] and (is_escaped or is_date)

    def _is_safe(self, node):
        if isinstance(node, ast.Name):
            values = self.assignments[-1].get(node.id)
            return node.id.isupper() or bool(values) and all(map(self._is_safe, values))
        if isinstance(node, ast.Attribute):
            return node.attr.isupper() or ast.unparse(node) in OWN_WORDS
        if isinstance(node, ast.Call):
            return ast.unparse(node.func) in OWN_WORDS | {"escape_markdown"}
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            return "," in ast.unparse(node.format_spec)
        parts = self._parts_of(node)
        return isinstance(node, ast.Constant) or bool(parts) and all(map(self._is_safe, parts))

    def _parts_of(self, node):
        """Return the expressions that a composed expression shows."""
        names = {
            ast.FormattedValue: ("value",),
            ast.Subscript: ("value",),
            ast.BinOp: ("left", "right"),
            ast.IfExp: ("body", "orelse"),
            ast.ListComp: ("elt",),
        }
        if isinstance(node, ast.JoinedStr):
            return node.values
        if isinstance(node, ast.List | ast.Tuple):
            return node.elts
        return [getattr(node, name) for name in names.get(type(node), ())]


def unsafe_labels(source):
    return Labels(ast.parse(source)).unsafe


@pytest.mark.threat("publisher")
@pytest.mark.parametrize("path", sorted(UI.rglob("*.py")), ids=lambda path: path.stem)
def test_a_label_never_holds_markdown_from_outside(path):
    """A picture in the title of a transcript would be fetched by every browser on the first screen."""
    assert unsafe_labels(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "st.button(job.title)",
        "st.button(f'{job.title} · again')",
        "left.expander(label='Of ' + name)",
        "st.error(str(error))",
        "st.toggle('A', help=error.remedy)",
        "st.page_link(PAGE, label=title)",
        "st.progress(0.5, text=words)",
        "st.tabs([name, 'B'])",
        "st.radio('A', names)",
        "def draw():\n    label = escape_markdown(a) if b else a\n    st.button(label)",
        "draw_permission_switch(desk, site, key='x')",
    ],
)
def test_a_label_that_is_not_escaped_is_found(source):
    assert len(unsafe_labels(source)) == 1


@pytest.mark.threat("publisher")
def test_a_picture_in_a_title_never_becomes_a_picture(home, app):
    """Of a finished check on the first screen."""
    from dataclasses import replace

    report = factory.report(20)
    transcript = replace(report.transcript, title=PICTURE)
    factory.keep(home, "pictured", replace(report, transcript=transcript))
    app.run()

    shown = [button.label for button in app.button if "evil" in button.label]
    assert shown
    assert not [label for label in shown if PICTURE in label]
    assert shown[0].startswith(escape_markdown(PICTURE))
