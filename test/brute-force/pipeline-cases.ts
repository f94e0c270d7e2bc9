import type { Case } from './small-domain.ts';

/** Parameters and domains for which the law of the output is found by going through all noise. */
export const histogram = { mechanism: 'stability-histogram', split: {}, delta: '1e-2' } as const;
export const complete = { mechanism: 'complete-domain', split: {}, delta: '0' } as const;
const gaussian = { mechanism: 'discrete-gaussian', split: {}, delta: '1e-2', place: 2 } as const;
const floors = (floor: number, hours?: number) => ({
  ...complete,
  floor,
  ...(hours !== undefined && { hours: { floor: hours, bins: 4 } }),
});
export const [on, both] = [{ publish: 'on' }, { publish: 'on+off' }] as const;
export const [adding, replacing] = [{ neighbours: 'add-remove' }, { neighbours: 'replace-one' }] as const;
export const [card, week] = [{ unit: 'card-day' }, { unit: 'card-window' }] as const;

export const CASES: Case[] = [
  { request: { ...histogram, ...on, ...adding, unit: 'tap', epsilon: '2' }, times: 2, locations: 2, bases: [1, 9] },
  { request: { ...histogram, ...on, ...replacing, unit: 'tap', epsilon: '3' }, times: 2, locations: 1, bases: [1, 9] },
  { request: { ...histogram, ...both, ...adding, unit: 'tap', epsilon: '2' }, times: 1, locations: 2, bases: [9] },
  { request: { ...histogram, ...both, ...replacing, unit: 'tap', epsilon: '3' }, times: 1, locations: 1, bases: [9] },
  { request: { ...histogram, ...both, ...adding, unit: 'trip', epsilon: '4' }, times: 2, locations: 1, bases: [1, 9] },
  { request: { ...histogram, ...both, ...replacing, unit: 'trip', epsilon: '6' }, times: 2, locations: 1 },
  {
    request: { ...histogram, ...on, ...adding, ...card, maxTaps: 2, epsilon: '4' },
    times: 2,
    locations: 1,
    bases: [9],
  },
  { request: { ...histogram, ...on, ...replacing, ...card, maxTaps: 2, epsilon: '6' }, times: 2, locations: 1 },
  { request: { ...histogram, ...on, ...adding, ...card, maxTaps: 3, epsilon: '6' }, times: 3, locations: 1 },
  { request: { ...histogram, ...on, ...replacing, ...week, maxTaps: 3, epsilon: '9' }, times: 3, locations: 1 },
  {
    request: { ...histogram, ...on, ...adding, unit: 'tap', epsilon: '6', split: { time: '2', location: '2' } },
    times: 1,
    locations: 1,
    bases: [9],
  },
  {
    request: { ...histogram, ...on, ...replacing, unit: 'tap', epsilon: '8', split: { time: '4' } },
    times: 2,
    locations: 1,
  },
  {
    request: { ...histogram, ...both, ...adding, unit: 'trip', epsilon: '16', split: { location: '8' } },
    times: 1,
    locations: 1,
  },
  {
    request: { ...histogram, ...on, ...adding, ...card, maxTaps: 2, epsilon: '16', split: { time: '8' } },
    times: 2,
    locations: 1,
  },
  { request: { ...complete, ...on, ...adding, unit: 'tap', epsilon: '1' }, times: 2, locations: 1, bases: [5] },
  { request: { ...complete, ...on, ...replacing, unit: 'tap', epsilon: '2' }, times: 2, locations: 1 },
  { request: { ...complete, ...both, ...adding, unit: 'trip', epsilon: '2' }, times: 1, locations: 1, bases: [5] },
  { request: { ...complete, ...both, ...replacing, unit: 'trip', epsilon: '12' }, times: 2, locations: 1 },
  { request: { ...complete, ...on, ...adding, ...card, maxTaps: 2, epsilon: '2' }, times: 2, locations: 1 },
  { request: { ...complete, ...on, ...replacing, ...card, maxTaps: 3, epsilon: '6' }, times: 2, locations: 1 },
  {
    request: { ...complete, ...on, ...adding, unit: 'tap', epsilon: '6', split: { time: '2', location: '2' } },
    times: 1,
    locations: 1,
  },
  // Floors as small as they can be, so that cells and hour rows are published often.
  { request: { ...floors(2), ...on, ...adding, unit: 'tap', epsilon: '1' }, times: 2, locations: 1, bases: [2] },
  { request: { ...floors(2, 2), ...on, ...adding, unit: 'tap', epsilon: '2' }, times: 3, locations: 1, bases: [1] },
  { request: { ...floors(2, 3), ...on, ...replacing, unit: 'tap', epsilon: '4' }, times: 3, locations: 1 },
  { request: { ...floors(3, 3), ...both, ...adding, unit: 'trip', epsilon: '12' }, times: 2, locations: 1, bases: [1] },
  { request: { ...floors(2, 2), ...both, ...replacing, unit: 'trip', epsilon: '12' }, times: 2, locations: 1 },
  { request: { ...floors(3, 3), ...on, ...adding, ...card, maxTaps: 2, epsilon: '4' }, times: 3, locations: 1 },
  { request: { ...floors(4, 4), ...on, ...replacing, ...card, maxTaps: 3, epsilon: '12' }, times: 3, locations: 1 },
  {
    request: { ...floors(2, 2), ...on, ...adding, unit: 'tap', epsilon: '12', split: { time: '6' } },
    times: 2,
    locations: 1,
  },
  // Cards whose cells have room for the worst change of all.
  {
    request: { ...gaussian, ...on, ...adding, ...card, maxTaps: 1, place: 1, epsilon: '2' },
    times: 2,
    locations: 1,
    bases: [5],
  },
  {
    request: { ...gaussian, ...on, ...adding, ...week, maxTaps: 2, epsilon: '4', delta: '1e-3' },
    times: 2,
    locations: 1,
  },
  { request: { ...gaussian, ...both, ...adding, ...card, maxTaps: 3, epsilon: '6' }, times: 2, locations: 1 },
  { request: { ...gaussian, ...on, ...adding, ...card, maxTaps: 2, place: 1, epsilon: '6' }, times: 2, locations: 2 },
  { request: { ...gaussian, ...on, ...replacing, ...card, maxTaps: 1, epsilon: '3' }, times: 2, locations: 1 },
  { request: { ...gaussian, ...both, ...replacing, ...week, maxTaps: 2, epsilon: '6' }, times: 2, locations: 1 },
  {
    request: {
      ...gaussian,
      ...on,
      ...adding,
      ...card,
      maxTaps: 1,
      epsilon: '6',
      split: { time: '1/3', location: '1/3' },
    },
    times: 1,
    locations: 1,
    bases: [5],
  },
  {
    request: { ...gaussian, ...on, ...adding, ...week, maxTaps: 2, epsilon: '6', split: { location: '1/2' } },
    times: 2,
    locations: 1,
  },
  {
    request: { ...gaussian, ...on, ...replacing, ...card, maxTaps: 1, place: 1, epsilon: '6', split: { time: '1/2' } },
    times: 2,
    locations: 1,
  },
  {
    request: {
      ...gaussian,
      ...both,
      ...adding,
      ...card,
      maxTaps: 2,
      place: 1,
      epsilon: '6',
      split: { location: '1/3' },
    },
    times: 1,
    locations: 1,
  },
  // Under a floor what is published says less.
  { request: { ...gaussian, ...on, ...adding, ...card, maxTaps: 2, epsilon: '4', floor: 2 }, times: 2, locations: 1 },
  {
    request: {
      ...gaussian,
      ...on,
      ...adding,
      ...week,
      maxTaps: 3,
      epsilon: '4',
      floor: 2,
      hours: { floor: 2, bins: 4 },
    },
    times: 3,
    locations: 1,
    bases: [1],
  },
  {
    request: {
      ...gaussian,
      ...on,
      ...replacing,
      ...card,
      maxTaps: 1,
      epsilon: '6',
      split: { time: '1/3' },
      floor: 2,
      hours: { floor: 3, bins: 4 },
    },
    times: 2,
    locations: 1,
  },
];

export const nameOf = ({ request, times, locations }: Case): string => {
  const { mechanism, unit, maxTaps, place, rows, neighbours, publish, epsilon, split } = request;
  const size = `${times}×${locations}${rows ? ` rows ${rows}` : ''}${request.floor ? ` floor ${request.floor} ${request.hours?.floor ?? ''}` : ''}`;
  return [
    mechanism,
    unit,
    maxTaps,
    ...(place ? [`place ${place}`] : []),
    neighbours,
    publish,
    `ε ${epsilon}`,
    JSON.stringify(split),
    size,
  ].join(' ');
};
export const named = CASES.map((one) => [nameOf(one), one] as const);
