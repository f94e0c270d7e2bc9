import { RADII } from './place-map.ts';

/** The script of a page with places: shows the filter, and hides what is not asked for. Without it, all is there. */
export const FILTER_SCRIPT = `(() => {
const [filter, part, day, word, shown] = ['', '-part', '-day', '-place', '-shown'].map((id) => document.getElementById('filter' + id));
const table = document.querySelector('.tall table');
const rows = [...table.tBodies[0].rows];
const text = (row, column) => row.cells[column].textContent;
const countOf = (row, column) => Number(text(row, column).replace(/\\u202f/g, '').replace('–', '0'));
function showMap(map, column) {
  const marks = [...map.querySelectorAll('[data-row]')].map((mark) => ({ mark, row: rows[mark.dataset.row] }));
  const seen = marks.map(({ row }) => row).filter((row) => !row.hidden);
  const largest = seen.reduce((a, b) => (a && countOf(a, column) >= countOf(b, column) ? a : b), null);
  const most = Math.max(1, largest ? countOf(largest, column) : 0);
  for (const { mark, row } of marks) {
    const radius = ${RADII.largest} * Math.sqrt(Math.max(0, countOf(row, column)) / most);
    mark.style.display = row.hidden || (mark.tagName === 'text' && radius === 0) ? 'none' : '';
    if (mark.tagName === 'text') continue;
    mark.setAttribute('r', Math.max(${RADII.dot}, radius));
    mark.firstChild.textContent = text(row, 0) + ': ' + text(row, column);
  }
  map.querySelector('.largest').textContent = largest ? text(largest, column) + ', ' + text(largest, 0) : '–';
}
function show() {
  const wanted = part.selectedIndex > 0 ? part.selectedOptions[0].textContent : null;
  const column = day.selectedIndex + 2;
  for (const row of rows)
    row.hidden = (wanted && text(row, 1) !== wanted) || !text(row, 0).toLowerCase().includes(word.value.trim().toLowerCase());
  for (const row of table.rows)
    for (const cell of row.cells) cell.hidden = column > 2 && cell.cellIndex > 1 && cell.cellIndex !== column;
  for (const map of document.querySelectorAll('.map')) {
    map.hidden = wanted && map.dataset.part !== wanted;
    showMap(map, column);
  }
  shown.textContent = rows.filter((row) => !row.hidden).length + ' of ' + rows.length + ' places';
}
filter.addEventListener('input', show);
filter.hidden = false;
show();
})();`;
