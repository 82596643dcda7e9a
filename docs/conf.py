"""How Sphinx builds the site; `python -m docs` writes what it is built from."""

import builtins
import os
import sys
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import pending_xref

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

# The notebooks find the packages, and run without what the user has IPython do at its start.
profile = ROOT / "build" / "ipython" / "profile_default"
profile.mkdir(parents=True, exist_ok=True)
(profile / "ipython_kernel_config.py").write_text("c.IPKernelApp.log_level = 40\n", encoding="utf-8")
os.environ.update(PYTHONPATH=str(ROOT), IPYTHONDIR=str(profile.parent))

import autograph  # noqa: E402

project = "AutoGraph"
version = release = autograph.__version__
html_title = f"AutoGraph {version}"
extensions = ["myst_nb", "sphinx_copybutton"]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
nb_execution_mode = "auto"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_merge_streams = True

toc_object_entries_show_parents = "hide"
python_maximum_signature_line_length = 90
pygments_style = "default"
copybutton_exclude = ".linenos, .gp, .go"

html_theme = "furo"
html_static_path = ["static"]
templates_path = ["templates"]
html_sidebars = {
    "**": [
        "sidebar/brand.html", "sidebar/search.html", "sidebar/scroll-start.html", "playground.html",
        "sidebar/navigation.html", "sidebar/ethical-ads.html", "sidebar/scroll-end.html",
        "sidebar/variant-selector.html",
    ]
}  # fmt: skip
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {"navigation_with_keys": True}


def setup(app):
    app.connect("doctree-read", leave_builtins)


def leave_builtins(app, doctree):
    """The `bool` of a signature is Python's own, not `runtime.bool`, and its Variable not that of `compat.v1`."""
    for link in list(doctree.findall(pending_xref)):
        if link.get("reftype") == "class" and link["reftarget"] == "Variable":
            link["reftarget"] = "runtime.Variable"
        if link.get("reftype") == "class" and hasattr(builtins, link["reftarget"]):
            link.replace_self(link.children or [nodes.Text(link["reftarget"])])
