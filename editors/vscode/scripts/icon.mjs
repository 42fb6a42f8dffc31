// Draws media/view.svg and media/icon.png: three layers, the top one highlighted.
import { writeFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";

/** The corners of one layer, a rhombus in a square with sides of 24. */
function layer(middle) {
  return [
    [12, middle - 4.5],
    [21, middle],
    [12, middle + 4.5],
    [3, middle],
  ];
}

const layers = [16, 12, 8].map(layer);

const paths = layers.map((corners) => `M${corners.map((corner) => corner.join(" ")).join("L")}Z`);
const outline = paths.map(
  (path) =>
    `<path d="${path}" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round"/>`,
);
writeFileSync(
  "media/view.svg",
  `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24"><title>Working Memory</title>${outline.join("")}</svg>\n`,
);

const side = 128;
const samples = 4;
const colors = [
  [38, 70, 98],
  [58, 124, 165],
  [244, 190, 73],
];
const background = [17, 29, 43];

function isInside(x, y, [[, top], [right], [, bottom], [left]]) {
  const [halfWidth, halfHeight] = [(right - left) / 2, (bottom - top) / 2];
  return Math.abs(x - (left + halfWidth)) / halfWidth + Math.abs(y - (top + halfHeight)) / halfHeight <= 1;
}

function colorAt(x, y) {
  const corner = 4;
  const [dx, dy] = [Math.max(corner - x, x - 24 + corner, 0), Math.max(corner - y, y - 24 + corner, 0)];
  if (dx * dx + dy * dy > corner * corner) {
    return [0, 0, 0, 0];
  }
  const top = layers.findLastIndex((corners) => isInside(x, y, corners));
  return [...(colors[top] ?? background), 255];
}

function pixel(column, row) {
  const sum = [0, 0, 0, 0];
  for (let i = 0; i < samples * samples; i++) {
    const x = ((column + ((i % samples) + 0.5) / samples) / side) * 24;
    const y = ((row + (Math.floor(i / samples) + 0.5) / samples) / side) * 24;
    const [red, green, blue, alpha] = colorAt(x, y);
    sum[0] += red * alpha;
    sum[1] += green * alpha;
    sum[2] += blue * alpha;
    sum[3] += alpha;
  }
  const opaque = sum[3] || 1;
  return [sum[0] / opaque, sum[1] / opaque, sum[2] / opaque, sum[3] / (samples * samples)].map(Math.round);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

const rows = Array.from({ length: side }, (_, row) => [
  0,
  ...Array.from({ length: side }, (_, column) => pixel(column, row)).flat(),
]);
const header = Buffer.alloc(13);
header.writeUInt32BE(side, 0);
header.writeUInt32BE(side, 4);
header.set([8, 6, 0, 0, 0], 8);
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const image = deflateSync(Buffer.from(rows.flat()), { level: 9 });
writeFileSync(
  "media/icon.png",
  Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", image), chunk("IEND", Buffer.alloc(0))]),
);
