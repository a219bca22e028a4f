"""Files as scanners and phones write them: no page is lost, turned, mirrored or blurred on the way in.

Guards against a page that is read as empty since its picture is inverted, cut off, or stored in a way that
was not thought of.
"""

from __future__ import annotations

import gc
import io
from pathlib import Path

import cv2
import numpy as np
import paper
import pdf_files
import psutil
import pypdfium2
import pytest
from numpy.typing import NDArray
from PIL import Image
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas
from writing import Pad

from scanner.contracts import Ink, Outcome, PageResult, Reason
from scanner.geometry import default
from scanner.pages import PageError, PageSource, count_pages
from scanner.recognition import recognise

Gray = NDArray[np.uint8]
BOXES = default().blanks["personal"].boxes
FILLED = 5  # every fifth box


@pytest.fixture(scope="module")
def sheet() -> Gray:
    """A scan at 150 dpi with every fifth box filled; 1.5° askew, so that turns can be told apart."""
    pad = Pad(paper.printed(dpi=150))
    for box in BOXES[::FILLED]:
        pad.text(box.rect.x + 6, box.rect.bottom - 2.8, "Онега", x_height=2.4, bold=0.05)
    return paper.scanned(pad.done(), skew=1.5, scale=0.98).gray


@pytest.fixture
def source() -> PageSource:
    return PageSource()


def written_to(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def only_page(path: Path) -> Gray:
    assert count_pages(path) == 1
    source = PageSource()
    gray = source.page(path, 0).gray
    source.close()
    return gray


def check(gray: Gray) -> PageResult:
    """The sheet is read as it was written, whatever its turn."""
    result = recognise(gray, default(), paper.EVENT)
    assert result.outcome is Outcome.SHEET and result.code is not None
    assert result.code.number == paper.NUMBER
    inks = [item.ink for item in result.boxes[: len(BOXES)]]
    assert inks == [Ink.BLANK if index % FILLED else Ink.WRITTEN for index in range(len(BOXES))]
    return result


def nearly(first: Gray, second: Gray) -> bool:
    """Equal up to the rounding of a renderer, at a tenth of the size."""
    small = [cv2.resize(item, (60, 80), interpolation=cv2.INTER_AREA) for item in (first, second)]
    return float(np.abs(small[0].astype(float) - small[1]).mean()) < 4


# PDF --------------------------------------------------------------------------------------------------


def test_an_embedded_jpeg_is_used_pixel_by_pixel(tmp_path: Path, sheet: Gray) -> None:
    picture = pdf_files.jpeg(sheet)
    path = written_to(tmp_path, "a.pdf", pdf_files.pdf_of([pdf_files.full_page(picture)]))
    own = cv2.imdecode(np.frombuffer(picture.data, np.uint8), cv2.IMREAD_GRAYSCALE)
    gray = only_page(path)
    assert np.array_equal(gray, own)
    check(gray)


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
@pytest.mark.parametrize("placement", list(pdf_files.PLACEMENTS))
def test_every_placement_comes_out_as_the_page_shows_it(
    tmp_path: Path, sheet: Gray, rotate: int, placement: str
) -> None:
    page = pdf_files.full_page(pdf_files.flate(sheet), placement, rotate)
    path = written_to(tmp_path, "a.pdf", pdf_files.pdf_of([page]))
    gray = only_page(path)
    document = pypdfium2.PdfDocument(path)
    shown = document[0].render(scale=0.5, grayscale=True).to_numpy()
    shown = np.ascontiguousarray(shown.reshape(shown.shape[:2]))
    document.close()
    assert (gray.shape[0] > gray.shape[1]) == (shown.shape[0] > shown.shape[1])
    assert nearly(gray, shown)
    # The picture's own pixels, none of them interpolated.
    assert np.array_equal(np.sort(gray, axis=None), np.sort(sheet, axis=None))


@pytest.mark.parametrize(
    "make",
    [
        pdf_files.ccitt_g4,
        pdf_files.flate_1_bit,
        lambda gray: pdf_files.flate_1_bit(gray, inverted=True),
        lambda gray: pdf_files.flate_1_bit(gray, stencil=True),
        lambda gray: pdf_files.jpeg(gray, colour=True),
        pdf_files.cmyk_jpeg,
    ],
    ids=["G4", "1-bit", "1-bit inverted", "stencil", "colour JPEG", "CMYK JPEG"],
)
def test_every_compression_gives_the_sheet(tmp_path: Path, sheet: Gray, make: object) -> None:
    picture = make(sheet)  # type: ignore[operator]
    path = written_to(tmp_path, "a.pdf", pdf_files.pdf_of([pdf_files.full_page(picture)]))
    gray = only_page(path)
    assert gray.mean() > 180
    check(gray)


def test_an_invisible_text_layer_leaves_the_picture_as_it_is(tmp_path: Path, sheet: Gray) -> None:
    layer = "BT /F1 12 Tf 3 Tr 100 100 Td (recognised text) Tj ET"
    page = pdf_files.full_page(pdf_files.flate(sheet), extra=layer)
    path = written_to(tmp_path, "a.pdf", pdf_files.pdf_of([page]))
    assert np.array_equal(only_page(path), sheet)


def test_a_visible_stamp_over_the_picture_is_shown(tmp_path: Path, sheet: Gray) -> None:
    stamp = "BT /F1 40 Tf 0 Tr 260 640 Td (STAMP) Tj ET"
    page = pdf_files.full_page(pdf_files.flate(sheet), extra=stamp)
    path = written_to(tmp_path, "a.pdf", pdf_files.pdf_of([page]))
    gray = only_page(path)
    height, width = gray.shape
    there = (slice(round(0.21 * height), round(0.24 * height)), slice(width // 2, width * 2 // 3))
    plain = cv2.resize(sheet, (width, height), interpolation=cv2.INTER_AREA)
    assert plain[there].mean() - gray[there].mean() > 15
    assert recognise(gray, default(), paper.EVENT).outcome is Outcome.SHEET


def test_two_pictures_on_one_page_are_one_page(tmp_path: Path, sheet: Gray) -> None:
    middle = sheet.shape[0] // 2
    share = middle / sheet.shape[0]
    width, height = pdf_files.A4_POINTS
    page = pdf_files.Page(
        [
            (
                pdf_files.jpeg(sheet[:middle]),
                (width, 0, 0, height * share, 0, height * (1 - share)),
            ),
            (pdf_files.jpeg(sheet[middle:]), (width, 0, 0, height * (1 - share), 0, 0)),
        ]
    )
    check(only_page(written_to(tmp_path, "a.pdf", pdf_files.pdf_of([page]))))


def test_a_picture_in_a_turned_form_is_shown_as_it_is_turned(tmp_path: Path, sheet: Gray) -> None:
    width, height = pdf_files.A4_POINTS
    page = pdf_files.full_page(pdf_files.jpeg(sheet))
    page.in_form = (-1, 0, 0, -1, width, height)
    result = check(only_page(written_to(tmp_path, "a.pdf", pdf_files.pdf_of([page]))))
    assert abs(abs(result.turned) - 178.5) < 1


def test_a_sheet_on_a_page_of_a_wrong_size_keeps_its_pixels(tmp_path: Path, sheet: Gray) -> None:
    # 20 × 28 mm: drawn at 300 dpi it would have 236 × 330 pixels.
    page = pdf_files.full_page(pdf_files.jpeg(sheet), extra="0 0 1 1 re f")
    small = pdf_files.Page(
        [(page.pictures[0][0], (58.0, 0, 0, 82.0, 0, 0))], "0 0 0.2 0.2 re f", (58.0, 82.0)
    )
    check(only_page(written_to(tmp_path, "a.pdf", pdf_files.pdf_of([small]))))


def test_a_vector_page_is_drawn(tmp_path: Path) -> None:
    gray = only_page(written_to(tmp_path, "a.pdf", paper.blank_pdf()))
    assert gray.shape == pytest.approx((3508, 2480), abs=2)
    assert recognise(gray, default(), paper.EVENT).outcome is Outcome.SHEET


def test_pages_of_all_kinds_in_one_file_are_all_given(tmp_path: Path, sheet: Gray) -> None:
    pages = [
        pdf_files.full_page(pdf_files.jpeg(sheet)),
        pdf_files.full_page(pdf_files.ccitt_g4(sheet), rotate=180),
        pdf_files.Page(),
        pdf_files.full_page(pdf_files.flate_1_bit(sheet), "quarter"),
    ]
    path = written_to(tmp_path, "a.pdf", pdf_files.pdf_of(pages))
    assert count_pages(path) == 4
    source = PageSource()
    # Also backwards: workers ask for pages in any order.
    outcomes = {
        index: recognise(source.page(path, index).gray, default(), paper.EVENT).outcome
        for index in (3, 1, 0, 2)
    }
    source.close()
    assert outcomes == {0: "sheet", 1: "sheet", 2: "empty", 3: "sheet"}


def test_a_broken_page_does_not_harm_the_others(tmp_path: Path, sheet: Gray) -> None:
    good, bad = pdf_files.jpeg(sheet), pdf_files.jpeg(sheet)
    bad.data = bad.data[: len(bad.data) // 2]
    pages = [pdf_files.full_page(picture) for picture in (good, bad, good)]
    path = written_to(tmp_path, "a.pdf", pdf_files.pdf_of(pages))
    source = PageSource()
    assert count_pages(path) == 3
    with pytest.raises(PageError) as caught:
        source.page(path, 1)
    assert caught.value.reason is Reason.BROKEN_PAGE
    assert source.page(path, 0).gray.shape == source.page(path, 2).gray.shape == sheet.shape


def test_a_protected_pdf_is_refused_by_name(tmp_path: Path, source: PageSource) -> None:
    path = tmp_path / "protected.pdf"
    canvas = Canvas(str(path), encrypt=StandardEncryption("secret"))
    canvas.drawString(100, 100, "hidden")
    canvas.save()
    for ask in (lambda: count_pages(path), lambda: source.page(path, 0)):
        with pytest.raises(PageError) as caught:
            ask()
        assert caught.value.reason is Reason.ENCRYPTED


def test_memory_stays_flat_over_a_long_pdf(tmp_path: Path) -> None:
    scan = paper.scanned(paper.printed(dpi=300), noise=4).gray
    pages = [pdf_files.full_page(pdf_files.jpeg(scan, quality=60)) for _ in range(60)]
    path = written_to(tmp_path, "long.pdf", pdf_files.pdf_of(pages))
    process, source = psutil.Process(), PageSource()
    sizes = []
    for index in range(60):
        assert source.page(path, index).gray.shape == scan.shape
        if index in (10, 59):
            gc.collect()
            sizes.append(process.memory_info().rss)
    source.close()
    # All pages decoded at once would be 500 MB.
    assert sizes[1] - sizes[0] < 80e6


# Pictures ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "compression, mode",
    [("group4", "1"), ("tiff_adobe_deflate", "L"), ("tiff_lzw", "L"), ("jpeg", "L"), (None, "RGB")],
)
def test_every_page_of_a_tiff(
    tmp_path: Path, sheet: Gray, compression: str | None, mode: str
) -> None:
    first = Image.fromarray(sheet).convert(mode, dither=Image.Dither.NONE)
    second = Image.new(mode, first.size, "white")
    path = tmp_path / "scan.tif"
    first.save(path, save_all=True, append_images=[second, first], compression=compression)
    assert count_pages(path) == 3
    source = PageSource()
    for index in (2, 0):
        check(source.page(path, index).gray)
    assert recognise(source.page(path, 1).gray, default(), "AB12C").outcome is Outcome.EMPTY
    with pytest.raises(PageError):
        source.page(path, 3)
    source.close()


@pytest.mark.parametrize("top", [65535, 4095])
def test_a_tiff_of_16_and_of_12_bits(tmp_path: Path, sheet: Gray, top: int) -> None:
    deep = (sheet.astype(np.float64) / 255 * top).astype(np.uint16)
    path = tmp_path / "deep.tif"
    Image.fromarray(deep).save(path)
    check(only_page(path))


@pytest.mark.parametrize("orientation", range(9))
@pytest.mark.parametrize("suffix", ["JPEG", "TIFF"])
def test_all_nine_orientations_of_a_photo_are_read_alike(
    tmp_path: Path, sheet: Gray, orientation: int, suffix: str
) -> None:
    # What a camera stores so that a viewer who obeys the note sees the sheet upright.
    undo = {2: "FLIP_LEFT_RIGHT", 3: "ROTATE_180", 4: "FLIP_TOP_BOTTOM", 5: "TRANSPOSE"}
    undo |= {6: "ROTATE_90", 7: "TRANSVERSE", 8: "ROTATE_270"}
    stored = Image.fromarray(sheet)
    if orientation in undo:
        stored = stored.transpose(Image.Transpose[undo[orientation]])
    exif = Image.Exif()
    exif[0x0112] = orientation
    path = tmp_path / f"photo.{suffix.lower()}"
    stored.save(path, suffix, exif=exif, **({"quality": 88} if suffix == "JPEG" else {}))
    result = check(only_page(path))
    assert abs(result.turned - 1.5) < 0.2


def test_a_jpeg_inside_a_pdf_is_turned_by_the_page_alone(tmp_path: Path, sheet: Gray) -> None:
    out, exif = io.BytesIO(), Image.Exif()
    exif[0x0112] = 6
    Image.fromarray(sheet).save(out, "JPEG", exif=exif)
    picture = pdf_files.jpeg(sheet)
    picture.data = out.getvalue()
    path = written_to(tmp_path, "a.pdf", pdf_files.pdf_of([pdf_files.full_page(picture)]))
    assert only_page(path).shape == sheet.shape


def test_a_png_with_a_see_through_background(tmp_path: Path, sheet: Gray) -> None:
    # Black everywhere, and the ink only in the alpha channel: dropped alpha gives a black page.
    pixels = np.zeros((*sheet.shape, 4), dtype=np.uint8)
    pixels[..., 3] = 255 - sheet
    path = tmp_path / "a.png"
    Image.fromarray(pixels).save(path)
    assert np.abs(only_page(path).astype(int) - sheet).max() <= 1


def test_a_palette_png_and_a_cmyk_jpeg(tmp_path: Path, sheet: Gray) -> None:
    Image.fromarray(sheet).convert("P").save(tmp_path / "a.png")
    Image.fromarray(sheet).convert("RGB").convert("CMYK").save(tmp_path / "a.jpg", quality=85)
    for name in ("a.png", "a.jpg"):
        check(only_page(tmp_path / name))


def test_the_second_view_in_a_phones_photo_is_no_page(tmp_path: Path, sheet: Gray) -> None:
    path = tmp_path / "photo.jpg"
    photo = Image.fromarray(sheet).convert("RGB")
    photo.save(path, "MPO", save_all=True, append_images=[photo.resize((300, 400))])
    assert count_pages(path) == 1
    check(only_page(path))


def test_heic_from_a_phone(tmp_path: Path, sheet: Gray) -> None:
    heif = pytest.importorskip(
        "pillow_heif", reason="pi-heif reads HEIC but cannot write it; nothing here can"
    )
    heif.register_heif_opener()
    path = tmp_path / "photo.heic"
    Image.fromarray(sheet).save(path, "HEIF", quality=85)
    check(only_page(path))


def test_the_kind_of_a_file_is_told_by_its_content(tmp_path: Path, sheet: Gray) -> None:
    _, data = cv2.imencode(".jpg", sheet)
    check(only_page(written_to(tmp_path, "scan.pdf", data.tobytes())))
    pdf = pdf_files.pdf_of([pdf_files.full_page(pdf_files.jpeg(sheet))])
    check(only_page(written_to(tmp_path, "scan.jpg", b"\x00\x01garbage\n" + pdf)))


# Damage -----------------------------------------------------------------------------------------------


def refused(path: Path) -> Reason:
    """The reason for which the file, or its only page, is refused."""
    source = PageSource()
    with pytest.raises(PageError) as caught:
        for index in range(count_pages(path)):
            source.page(path, index)
    source.close()
    return caught.value.reason


@pytest.mark.parametrize(
    "name, data, reason",
    [
        ("empty.pdf", b"", Reason.BROKEN_FILE),
        ("empty.jpg", b"", Reason.BROKEN_FILE),
        ("letter.pdf", "Уважаемые коллеги!\n".encode() * 40, Reason.NOT_AN_IMAGE),
        ("zeros.tif", bytes(4096), Reason.NOT_AN_IMAGE),
        ("head.pdf", b"%PDF-1.7\n", Reason.BROKEN_FILE),
        ("head.jpg", b"\xff\xd8\xff\xe0", Reason.NOT_AN_IMAGE),
        ("head.tif", b"II*\x00\x08\x00\x00\x00", Reason.NOT_AN_IMAGE),
    ],
)
def test_what_is_no_scan_is_refused(tmp_path: Path, name: str, data: bytes, reason: Reason) -> None:
    found = refused(written_to(tmp_path, name, data))
    assert found is reason or {found, reason} <= {Reason.BROKEN_FILE, Reason.NOT_AN_IMAGE}


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.pdf"):
        assert refused(path) is Reason.BROKEN_FILE


def test_a_picture_that_would_fill_the_memory_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.png"
    Image.new("1", (20000, 20000)).save(path)
    assert refused(path) is Reason.TOO_LARGE
    picture = pdf_files.Picture((20000, 20000), b"x", "/BitsPerComponent 8 /ColorSpace /DeviceGray")
    pdf = written_to(tmp_path, "bomb.pdf", pdf_files.pdf_of([pdf_files.full_page(picture)]))
    assert refused(pdf) is Reason.TOO_LARGE


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.9, 0.99])
@pytest.mark.parametrize(
    "kind", ["jpg", "png", "g4.tif", "lzw.tif", "jpeg.pdf", "g4.pdf", "flate.pdf"]
)
def test_of_half_a_file_no_box_is_taken_for_blank(
    tmp_path: Path, sheet: Gray, kind: str, share: float
) -> None:
    """A file that is still being copied, or was cut off: refused, or nothing said about missing parts."""
    path = written_to(tmp_path, f"cut.{kind}", _whole(kind, sheet))
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    source = PageSource()
    try:
        gray = source.page(path, 0).gray if count_pages(path) else sheet
    except PageError:
        return
    finally:
        source.close()
    result = recognise(gray, default(), paper.EVENT)
    if result.outcome is Outcome.SHEET:
        written = [item.key for item in result.boxes if item.ink is Ink.WRITTEN]
        assert {box.key for box in BOXES[::FILLED]} <= set(written)


def _whole(kind: str, sheet: Gray) -> bytes:
    pictures = {
        "jpeg.pdf": pdf_files.jpeg,
        "g4.pdf": pdf_files.ccitt_g4,
        "flate.pdf": pdf_files.flate,
    }
    if kind in pictures:
        return pdf_files.pdf_of([pdf_files.full_page(pictures[kind](sheet))])
    out = io.BytesIO()
    picture = Image.fromarray(sheet)
    if kind == "g4.tif":
        picture.convert("1").save(out, "TIFF", compression="group4")
    elif kind == "lzw.tif":
        picture.save(out, "TIFF", compression="tiff_lzw")
    else:
        picture.save(out, "JPEG" if kind == "jpg" else "PNG")
    return out.getvalue()
