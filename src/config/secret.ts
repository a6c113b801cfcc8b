import { inspect } from 'node:util'

/** A value that must not be printed: whoever needs it says so by `reveal`. */
export interface Secret {
  reveal(): string
  toString(): string
  toJSON(): string
}

const MASK = '[secret]'

/** Wraps a secret, so that templates, JSON and `inspect` show a mask instead. */
export const makeSecret = (value: string): Secret =>
  Object.freeze({
    reveal: () => value,
    toString: () => MASK,
    toJSON: () => MASK,
    [inspect.custom]: () => MASK,
  })
