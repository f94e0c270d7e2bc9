import { RADII } from './place-map.ts';

/** The script of a page with places: shows the filter, and hides what it is not for. Without it the page shows everything. */
export const FILTER_SCRIPT = `(() => {
const find = (id) => document.getElementById('filter-' + id);
const table = document.querySelector('.tall table');
const rows = [...table.tBodies[0].rows];
const numberOf = (row, column) => Number(row.cells[column].textContent.replace(/\\u202f/g, '').replace('–', '0'));
function showMap(map, column) {
  let most = 0;
  let largest = null;
  for (const mark of map.querySelectorAll('[data-row]')) {
    const row = rows[mark.dataset.row];
    mark.style.display = row.hidden ? 'none' : '';
    const count = numberOf(row, column);
    if (!row.hidden && count > most) [most, largest] = [count, row];
  }
  for (const circle of map.querySelectorAll('circle')) {
    const row = rows[circle.dataset.row];
    const radius = Math.max(${RADII.dot}, ${RADII.largest} * Math.sqrt(Math.max(0, numberOf(row, column)) / (most || 1)));
    circle.setAttribute('r', radius);
    circle.classList.toggle('dot', radius === ${RADII.dot});
    circle.firstChild.textContent = row.cells[0].textContent + ': ' + row.cells[column].textContent;
  }
  map.querySelector('.largest').textContent = largest ? largest.cells[column].textContent + ', ' + largest.cells[0].textContent : 'none';
}
function show() {
  const part = find('part').selectedIndex && find('part').selectedOptions[0].textContent;
  const column = find('day').selectedIndex + 2;
  const word = find('place').value.trim().toLowerCase();
  for (const row of rows)
    row.hidden = (part && row.cells[1].textContent !== part) || !row.cells[0].textContent.toLowerCase().includes(word);
  for (const row of table.rows)
    for (const cell of row.cells) cell.hidden = column > 2 && cell.cellIndex > 1 && cell.cellIndex !== column;
  for (const map of document.querySelectorAll('.map')) {
    map.hidden = part && map.dataset.part !== part;
    showMap(map, column);
  }
  const shown = rows.filter((row) => !row.hidden).length;
  find('shown').textContent = shown + ' of ' + rows.length + ' places';
}
const filter = document.getElementById('filter');
filter.addEventListener('input', show);
filter.hidden = false;
show();
})();`;
