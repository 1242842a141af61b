"""Write small PDF files by hand, so that each rule of the reader meets exactly the case it is for."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

_FONTS = {"F": "Helvetica", "B": "Helvetica-Bold", "I": "Helvetica-Oblique", "T": "Times-Roman"}


@dataclass
class PdfPage:
    """Collect the drawing operators of one page (A4 unless said otherwise)."""

    width: float = 595
    height: float = 842
    rotate: int = 0
    crop: tuple[float, float, float, float] | None = None
    operators: list[str] = field(default_factory=list)
    images: int = 0

    def text(
        self, x: float, y: float, text: str, size: float = 10, font: str = "F", extra: str = ""
    ) -> "PdfPage":
        """Draw text with its baseline at (x, y); `extra` are operators within the text object."""
        self.operators.append(f"q BT /{font} {size} Tf {extra} 1 0 0 1 {x} {y} Tm ({_escape(text)}) Tj ET Q")
        return self

    def turned(self, x: float, y: float, text: str, size: float = 10) -> "PdfPage":
        """Draw text that runs upwards."""
        self.operators.append(f"BT /F {size} Tf 0 1 -1 0 {x} {y} Tm ({_escape(text)}) Tj ET")
        return self

    def lines(
        self, x: float, y: float, lines: Sequence[str], size: float = 10, leading: float = 12
    ) -> "PdfPage":
        """Draw lines of text one under the other."""
        for k, line in enumerate(lines):
            self.text(x, y - k * leading, line, size)
        return self

    def raw(self, operators: str) -> "PdfPage":
        """Add operators as they are."""
        self.operators.append(operators)
        return self

    def image(self, x: float, y: float, width: float, height: float) -> "PdfPage":
        """Draw a grey picture."""
        self.operators.append(f"q {width} 0 0 {height} {x} {y} cm /Im Do Q")
        return self


def write_pdf(
    path: Path,
    pages: Sequence[PdfPage],
    *,
    outline: Sequence[tuple[str, int, float]] = (),
    labels: str = "",
    info: str = "",
    language: str = "",
) -> Path:
    """Write a file of the pages; an outline entry names title, page (from 0) and height."""
    objects: list[str] = []

    def add(body: str) -> int:
        objects.append(body)
        return len(objects)

    catalog, tree = add(""), add("")
    fonts = " ".join(
        f"/{key} {add(f'<</Type/Font/Subtype/Type1/BaseFont/{name}/Encoding/WinAnsiEncoding>>')} 0 R"
        for key, name in _FONTS.items()
    )
    image = add(
        "<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Length 1>>"
        "stream\nA\nendstream"
    )
    kids = [_page(page, tree, fonts, image, add) for page in pages]
    objects[tree - 1] = f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(f'{k} 0 R' for k in kids)}]>>"
    extra = f"/PageLabels<</Nums[{labels}]>>" if labels else ""
    extra += f"/Lang({language})" if language else ""
    if outline:
        extra += f"/Outlines {_outline(outline, kids, add)} 0 R"
    objects[catalog - 1] = f"<</Type/Catalog/Pages {tree} 0 R{extra}>>"
    trailer = f"/Info {add(f'<<{info}>>')} 0 R" if info else ""
    path.write_bytes(_serialise(objects, catalog, trailer))
    return path


def _page(page: PdfPage, tree: int, fonts: str, image: int, add: "object") -> int:
    content = "\n".join(page.operators)
    stream = add(f"<</Length {len(content.encode('cp1252'))}>>stream\n{content}\nendstream")  # type: ignore[operator]
    crop = f"/CropBox[{' '.join(map(str, page.crop))}]" if page.crop else ""
    box = f"/MediaBox[0 0 {page.width} {page.height}]{crop}/Rotate {page.rotate}"
    resources = f"/Resources<</Font<<{fonts}>>/XObject<</Im {image} 0 R>>>>"
    return int(add(f"<</Type/Page/Parent {tree} 0 R{box}{resources}/Contents {stream} 0 R>>"))  # type: ignore[operator]


def _outline(outline: Sequence[tuple[str, int, float]], kids: list[int], add: "object") -> int:
    root = int(add(""))  # type: ignore[operator]
    numbers = [int(add("")) for _ in outline]  # type: ignore[operator]
    store = add.__closure__[0].cell_contents  # type: ignore[attr-defined]
    for k, (title, page, top) in enumerate(outline):
        links = f"/Next {numbers[k + 1]} 0 R" if k + 1 < len(numbers) else ""
        links += f"/Prev {numbers[k - 1]} 0 R" if k else ""
        store[numbers[k] - 1] = (
            f"<</Title({_escape(title)})/Parent {root} 0 R{links}/Dest[{kids[page]} 0 R/XYZ 0 {top} 0]>>"
        )
    store[root - 1] = f"<</Type/Outlines/First {numbers[0]} 0 R/Last {numbers[-1]} 0 R/Count {len(numbers)}>>"
    return root


def _serialise(objects: list[str], catalog: int, trailer: str) -> bytes:
    out = bytearray(b"%PDF-1.7\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("cp1252")
    start = len(out)
    rows = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{rows}".encode()
    root = f"/Size {len(objects) + 1}/Root {catalog} 0 R{trailer}"
    out += f"trailer<<{root}>>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
