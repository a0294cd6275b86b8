"""Makes the containers in which hostile files come: ZIP, XLSX, DOCX, PDF."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from io import BytesIO

_MAIN = "http://schemas.openxmlformats.org/"
_REL = f"{_MAIN}package/2006/relationships"
_OFFICE = f"{_MAIN}officeDocument/2006/relationships"
_TYPES = f"{_MAIN}package/2006/content-types"


def packed(files: Mapping[str, str]) -> bytes:
    """Return a ZIP archive of texts by name."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return file.getvalue()


def _links(kind: str, target: str) -> str:
    link = f'<Relationship Id="r1" Type="{_OFFICE}/{kind}" Target="{target}"/>'
    return f'<Relationships xmlns="{_REL}">{link}</Relationships>'


def _types(part_name: str, kind: str) -> str:
    rels = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    office = f"application/vnd.openxmlformats-officedocument.{kind}"
    return f'<Types xmlns="{_TYPES}">{rels}<Override PartName="/{part_name}" ContentType="{office}.main+xml"/></Types>'


def document(body: str) -> bytes:
    """Return a Word document with this XML in its body."""
    written = f'<w:document xmlns:w="{_MAIN}wordprocessingml/2006/main"><w:body>{body}</w:body></w:document>'
    return packed(
        {
            "[Content_Types].xml": _types("word/document.xml", "wordprocessingml.document"),
            "_rels/.rels": _links("officeDocument", "word/document.xml"),
            "word/document.xml": written,
        }
    )


def workbook(rows_xml: str) -> bytes:
    """Return an Excel workbook with this XML as the rows of its sheet."""
    main = f'xmlns="{_MAIN}spreadsheetml/2006/main"'
    sheets = f'<sheets><sheet name="S" sheetId="1" xmlns:r="{_OFFICE}" r:id="r1"/></sheets>'
    return packed(
        {
            "[Content_Types].xml": _types("xl/workbook.xml", "spreadsheetml.sheet"),
            "_rels/.rels": _links("officeDocument", "xl/workbook.xml"),
            "xl/workbook.xml": f"<workbook {main}>{sheets}</workbook>",
            "xl/_rels/workbook.xml.rels": _links("worksheet", "worksheets/sheet1.xml"),
            "xl/worksheets/sheet1.xml": f"<worksheet {main}><sheetData>{rows_xml}</sheetData></worksheet>",
        }
    )


def cell(cell_name: str, text: str) -> str:
    """Return the XML of a cell."""
    return f'<c r="{cell_name}" t="inlineStr"><is><t>{text}</t></is></c>'


def pdf(*objects: bytes) -> bytes:
    """Return a PDF of these objects, numbered from 1; the first is its catalogue."""
    data = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1)
    end = b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (
        len(offsets) + 1,
        len(data),
    )
    return data + head + table + end


def page(content: bytes, filters: bytes) -> bytes:
    """Return a PDF of one page with this content."""
    return pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d/Filter %b>>stream\n%b\nendstream" % (len(content), filters, content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    )


def opendocument(body: str) -> bytes:
    """Return an OpenDocument text with this XML in its body."""
    spaces = "urn:oasis:names:tc:opendocument:xmlns"
    content = (
        f'<office:document-content xmlns:office="{spaces}:office:1.0" xmlns:text="{spaces}:text:1.0" '
        f'xmlns:table="{spaces}:table:1.0"><office:body><office:text>{body}</office:text>'
        "</office:body></office:document-content>"
    )
    return packed({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content})
