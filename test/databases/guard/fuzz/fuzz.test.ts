import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeGuard } from '../../../../src/databases/guard/guard.ts'
import { dialectNames } from '../../../../src/sql/dialects.ts'
import { harmless, type Statement } from './fuzz-corpus.ts'
import { injectedReach, injectedWrite } from './inject-write.ts'
import { disguisedHostile, mutatedStatement, tokenSoup } from './mutate-statement.ts'

/** The same statements on every machine; FUZZ_SEED and FUZZ_RUNS try others. */
const settings = (numRuns: number): fc.Parameters<[Statement]> => ({
  seed: Number(process.env.FUZZ_SEED ?? 20261121),
  numRuns: Number(process.env.FUZZ_RUNS ?? numRuns),
})

const patienceMs = Number(process.env.FUZZ_RUNS ? 3_600_000 : 120_000)

const guard = makeGuard()

const givesVerdict = ({ sql, dialect }: Statement): void => {
  const verdict = guard(sql, dialect)
  if (verdict.verdict === 'allow') expect(verdict.guarded).toEqual({ sql, dialect })
  else expect(verdict.reason).toMatch(/^it /)
}

const refuses = ({ sql, dialect }: Statement): boolean => guard(sql, dialect).verdict === 'refuse'

describe('the guard under fuzzing', () => {
  test('starts from statements that it allows, some in every dialect', () => {
    expect(harmless.filter(refuses)).toEqual([])
    expect(new Set(harmless.map(({ dialect }) => dialect))).toEqual(new Set(dialectNames))
  })

  test(
    'has a verdict on any soup of tokens',
    () => {
      fc.assert(fc.property(tokenSoup, givesVerdict), settings(3000))
    },
    patienceMs,
  )

  test(
    'has a verdict on any change of a statement',
    () => {
      fc.assert(fc.property(mutatedStatement, givesVerdict), settings(1500))
    },
    patienceMs,
  )

  test(
    'never allows a planted write',
    () => {
      fc.assert(fc.property(injectedWrite, refuses), settings(3000))
    },
    patienceMs,
  )

  test(
    'never allows a planted call or table that reaches out of the data',
    () => {
      fc.assert(fc.property(injectedReach, refuses), settings(2000))
    },
    patienceMs,
  )

  test(
    'refuses what is hostile in any case and with any blanks',
    () => {
      fc.assert(fc.property(disguisedHostile, refuses), settings(2000))
    },
    patienceMs,
  )

  test('is none the worse for all that', () => {
    expect(harmless.filter(refuses)).toEqual([])
  })
})
