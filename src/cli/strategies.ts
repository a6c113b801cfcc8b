import type { Config } from '../config/config.ts'
import { QuerentError } from '../core/errors.ts'

/** The ways to spend drafts that `--strategy` knows. */
const strategies: Readonly<Record<string, Config['drafting']>> = {
  /** Waves, stopped when a further draft is not worth its cost. */
  adaptive: { mode: 'adaptive', mostDrafts: 21 },
  /** CHASE-SQL's shape (section 4.3): three paths, seven drafts each, all at once. */
  chase: { mode: 'full', mostDrafts: 21 },
}

/** What `--strategy` asks for; null when it was not given, which leaves the configuration's own. Throws `bad-arguments`. */
export const readStrategy = (name: string | undefined): Config['drafting'] | null => {
  if (name === undefined) return null
  const found = Object.hasOwn(strategies, name) ? strategies[name] : undefined
  if (found === undefined)
    throw new QuerentError(
      'bad-arguments',
      `There is no strategy "${name}"; there are: ${Object.keys(strategies).join(', ')}.`,
    )
  return found
}
