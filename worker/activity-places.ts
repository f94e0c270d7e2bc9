/**
 * Activities beyond the heavy ones that run at once. They wait for stores and for Temporal most of the time, so few of
 * them would leave two cores idle; the task of a heavy one that waits for its turn holds one of these places.
 */
const LIGHT = 24;

/** Activities that the private worker takes at once, of which `concurrency` heavy ones run. */
export const privateActivityPlaces = (concurrency: number): number => concurrency + LIGHT;
