import { z } from 'zod'

/**
 * A schema of all members of a union of string literals. The table must name each of them, so a new member does not
 * compile until what is stored can be read back.
 */
export const literalUnion = <T extends string>(table: Readonly<Record<T, true>>) =>
  z.enum(Object.keys(table) as [T, ...T[]])
