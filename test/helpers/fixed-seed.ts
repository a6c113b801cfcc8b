import fc from 'fast-check'

/**
 * Property tests draw the same examples in every run, so that a failure belongs to the change it is seen with.
 * `QUERENT_TEST_SEED=random npm run test:unit` looks for new ones; a failure prints the seed that repeats it.
 */
const seed = process.env.QUERENT_TEST_SEED ?? '20261122'

if (seed !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })
