import fc from 'fast-check';

// A change is judged on the same examples as the one before it. New ones: OPALINE_PROPERTY_SEED=random, or a number.
const seed = process.env.OPALINE_PROPERTY_SEED ?? '2017';
if (seed !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
