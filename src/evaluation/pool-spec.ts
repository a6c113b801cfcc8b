import { QuerentError } from '../core/errors.ts'

/** Which candidates of a pools file take part: samples of named pools, or one answer each of named systems. */
export interface PoolSpec {
  readonly from: 'pools' | 'systems'
  /** In turn: the first of each, then the second of each. */
  readonly names: readonly string[]
}

/** Reads `gpt4_10`, `gpt4_10+dailsql10` or `systems:A,B`. Throws `QuerentError('bad-arguments')`. */
export const parsePoolSpec = (text: string): PoolSpec => {
  const systems = /^systems:(.+)$/.exec(text)?.[1]
  const names = (systems === undefined ? text.split('+') : systems.split(',')).map(name => name.trim())
  if (names.some(name => name === ''))
    throw new QuerentError(
      'bad-arguments',
      `"${text}" names no pool; write a pool's name, several joined by +, or systems:A,B,C.`,
    )
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new QuerentError('bad-arguments', `"${text}" names ${twice} twice.`)
  return { from: systems === undefined ? 'pools' : 'systems', names }
}
