import type { Formula } from './measures.ts'
import { UncompilableError } from './scope.ts'

/**
 * Reads arithmetic over metrics: names, numbers, `+ - * /` and brackets. `metricOf` resolves a name. Throws
 * `UncompilableError` at anything else.
 */
export const parseFormula = (text: string, metricOf: (name: string) => Formula): Formula => {
  const tokens = text.match(/[\p{L}_][\p{L}\p{N}_]*|\d+(?:\.\d+)?|[-+*/()]|\S/gu) ?? []
  let at = 0
  const fail = (): never => {
    throw new UncompilableError(`cannot read the formula ${text}`)
  }
  const factor = (): Formula => {
    const token = tokens[at++]
    if (token === undefined) return fail()
    if (token === '(') {
      const inner = sum()
      if (tokens[at++] !== ')') return fail()
      return inner
    }
    if (token === '-')
      return { kind: 'arithmetic', operator: '-', left: { kind: 'number', value: 0 }, right: factor() }
    if (/^\d/.test(token)) return { kind: 'number', value: Number(token) }
    return /^[\p{L}_]/u.test(token) ? metricOf(token) : fail()
  }
  const chain = (operators: string, next: () => Formula) => (): Formula => {
    let left = next()
    for (let token = tokens[at]; token !== undefined && operators.includes(token); token = tokens[at]) {
      at++
      left = { kind: 'arithmetic', operator: token as '+' | '-' | '*' | '/', left, right: next() }
    }
    return left
  }
  const product = chain('*/', factor)
  const sum = chain('+-', product)
  const formula = sum()
  return at === tokens.length ? formula : fail()
}

/** The names of metrics in a formula. */
export const formulaNames = (text: string): readonly string[] => [
  ...new Set(text.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []),
]
