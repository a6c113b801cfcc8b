import { QuerentError } from '../../core/errors.ts'
import type { PoolSpec } from '../../evaluation/pool-spec.ts'
import type { Pools } from '../../evaluation/pools-file.ts'

/**
 * Throws `QuerentError('bad-arguments')` for a pool of which the files of candidates have a source nowhere: running
 * everything takes long, and a pool with a slip in its name would be missing from the report without a word.
 */
export const assertPoolSourcesExist = (named: Readonly<Record<string, PoolSpec>>, pools: Pools): void => {
  const known = { pools: new Set<string>(), systems: new Set<string>() }
  for (const line of pools.values())
    for (const from of ['pools', 'systems'] as const)
      for (const name of Object.keys(line[from])) known[from].add(name)
  for (const [text, { from, names }] of Object.entries(named)) {
    if (from === 'readings')
      throw new QuerentError(
        'bad-arguments',
        'The selector chooses among what systems wrote: name pools or systems with --pool. Questions without candidates are read by the semantic parser anyway.',
      )
    const unknown = names.find(name => !known[from].has(name))
    if (unknown !== undefined)
      throw new QuerentError(
        'bad-arguments',
        `--pool ${text}: no file of candidates has "${unknown}"; of ${from} there are: ${[...known[from]].join(', ') || 'none'}.`,
      )
  }
}
