import { QuerentError } from '../domain/errors.ts'
import type { idPrefixErrors } from './copy/phrases.ts'

const MIN_ID_LENGTH = 4

/**
 * Finds the one thing whose id begins with what was typed, since ids are long. Throws `QuerentError('bad-arguments')`
 * if it is not an id, or if none or several ids begin with it.
 */
export const findByIdPrefix = async <Found>(
  typed: string,
  findByPrefix: (prefix: string) => Promise<readonly Found[]>,
  errors: ReturnType<typeof idPrefixErrors>,
): Promise<Found> => {
  if (!/^[0-9a-f-]+$/i.test(typed) || typed.length < MIN_ID_LENGTH)
    throw new QuerentError('bad-arguments', errors.notAnId(typed, MIN_ID_LENGTH))
  const [found, other] = await findByPrefix(typed)
  if (found === undefined) throw new QuerentError('bad-arguments', errors.notFound(typed))
  if (other !== undefined) throw new QuerentError('bad-arguments', errors.ambiguous(typed))
  return found
}

/** The start of an id, as lists show it. */
export const shortId = (id: string): string => id.slice(0, 8)
