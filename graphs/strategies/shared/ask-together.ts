import { ModelError } from '../../../src/domain/errors.ts'

/** One of several questions to agents at the same time. */
type Asking<Reply> = () => Promise<Reply>

/**
 * Asks several agents at the same time. One that fails is left out (null in its place); if all fail, the first failure is
 * thrown, and so is a spent budget, because nobody else could be asked either.
 */
export const askTogether = async <Reply>(
  asking: readonly Asking<Reply>[],
): Promise<readonly (Reply | null)[]> => {
  const settled = await Promise.allSettled(asking.map(ask => ask()))
  const failures = settled.flatMap(one => (one.status === 'rejected' ? [one.reason as unknown] : []))
  const unexpected = failures.find(error => !(error instanceof ModelError) || error.code === 'budget-spent')
  if (unexpected !== undefined) throw unexpected
  if (failures.length === settled.length) throw failures[0]
  return settled.map(one => (one.status === 'fulfilled' ? one.value : null))
}
