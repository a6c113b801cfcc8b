import { QuerentError } from '../core/errors.ts'

/**
 * Which candidates take part: of a pools file samples of named pools or one answer each of named systems, or the
 * semantic parser's readings of the question.
 */
export interface PoolSpec {
  readonly from: 'pools' | 'systems' | 'readings'
  /** In turn: the first of each, then the second of each. */
  readonly names: readonly string[]
}

/** The source of the semantic parser's readings. */
export const parserSource = 'readings'

/** Reads `gpt4_10`, `gpt4_10+dailsql10`, `systems:A,B` or `readings`. Throws `QuerentError('bad-arguments')`. */
export const parsePoolSpec = (text: string): PoolSpec => {
  if (text.trim() === parserSource) return { from: 'readings', names: [parserSource] }
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
