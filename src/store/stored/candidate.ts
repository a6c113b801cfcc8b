import { z } from 'zod'
import {
  type Candidate,
  type CandidateObservation,
  type CandidateRun,
  type CannotAnswer,
  type DraftPathName,
  type NamedMeaning,
  parseCandidateId,
  type Repair,
} from '../../domain/candidate.ts'
import type { SqlErrorClass } from '../../domain/errors.ts'
import type { Decision } from '../../domain/interpretation.ts'
import type { AnswerMeaning } from '../../domain/metrics/metric-reading.ts'
import { withCurrentNames } from '../../domain/selection/ranking.ts'
import { literalUnion } from './json.ts'

const StoredPath = literalUnion<DraftPathName>({
  'semantic-parser': true,
  'verified-example': true,
  'metric-query': true,
  'divide-and-conquer': true,
  'query-plan': true,
  'online-synthetic': true,
  'pool-replay': true,
  'mac-sql': true,
  'agent-nlq': true,
  ssev: true,
  recap: true,
  discussion: true,
  'planner-coder': true,
  'coder-aggregator': true,
})

export const StoredCannotAnswer: z.ZodType<CannotAnswer> = z.looseObject({
  origin: z.looseObject({
    attempt: z.number().int(),
    round: z.number().int(),
    sample: z.number().int(),
  }),
  path: StoredPath,
  lineage: z.string(),
  reason: z.string().nullable(),
})

export const StoredErrorClass = literalUnion<SqlErrorClass>({
  syntax: true,
  'unknown-table': true,
  'unknown-column': true,
  'ambiguous-column': true,
  'type-mismatch': true,
  function: true,
  aggregation: true,
  permission: true,
  timeout: true,
  cancelled: true,
  connection: true,
  refused: true,
  'too-heavy': true,
  'over-budget': true,
  'empty-result': true,
  'wrong-shape': true,
  other: true,
})

const StoredDecision: z.ZodType<Decision> = z.looseObject({
  phrase: z.string(),
  kind: literalUnion<Decision['kind']>({
    table: true,
    column: true,
    value: true,
    aggregate: true,
    period: true,
    join: true,
  }),
  choice: z.string(),
  label: z.string(),
})

const StoredRepair: z.ZodType<Repair> = z.looseObject({
  round: z.number().int(),
  sql: z.string(),
  errorClass: StoredErrorClass,
  message: z.string(),
})

const hashes = z.array(z.string())

/** A candidate's observation for the selector, as stored. */
const StoredObservation: z.ZodType<CandidateObservation> = z.object({
  measures: z.record(z.string(), z.number()).transform(withCurrentNames),
  parts: z.object({
    table: hashes,
    column: hashes,
    clause: hashes,
    literal: hashes,
    skeleton: hashes,
  }),
  sketch: z.object({ rows: hashes, columns: hashes, cells: hashes }),
  columnOrder: z.number(),
})

const StoredCandidateRun: z.ZodType<CandidateRun> = z.discriminatedUnion('status', [
  z.looseObject({
    status: z.literal('ran'),
    resultId: z.string(),
    groupKey: z.string(),
    // Missing in runs stored before these existed.
    columnsKey: z.string().default(''),
    evidence: z
      .looseObject({
        isEmpty: z.boolean(),
        absentLiterals: z.number().int(),
        columnInversions: z.number().int(),
        observation: StoredObservation.optional(),
      })
      .default({ isEmpty: false, absentLiterals: 0, columnInversions: 0 }),
    rowCount: z.number().int(),
    columnCount: z.number().int(),
    milliseconds: z.number(),
    problem: StoredErrorClass.exactOptional(),
  }),
  z.looseObject({ status: z.literal('failed'), errorClass: StoredErrorClass, message: z.string() }),
])

/** What a statement is about. It is only read by the version that wrote it, or left out by a later one that cannot. */
const StoredMeaning = z.custom<AnswerMeaning>(
  value => typeof value === 'object' && value !== null && 'query' in value,
)

/** What its model called the meaning that it answers. */
const StoredNamedMeaning: z.ZodType<NamedMeaning> = z.object({
  label: z.string(),
  unclear: z.string().nullable(),
})

/** A stored candidate, in its own row and in a trace, without its origin. */
const candidateShape = {
  id: z.string(),
  path: StoredPath,
  lineage: z.string(),
  rank: z.number().int(),
  sql: z.string(),
  prior: z.number(),
  decisions: z.array(StoredDecision),
  assumptions: z.array(z.string()),
  unused: z.array(z.string()).nullable(),
  repairs: z.array(StoredRepair),
  run: StoredCandidateRun.nullable(),
  meaning: StoredMeaning.exactOptional(),
  named: StoredNamedMeaning.exactOptional(),
}

const StoredOrigin = z.object({
  attempt: z.number().int(),
  round: z.number().int(),
  sample: z.number().int(),
})

/** A candidate in a trace; the oldest were stored without their origin. */
export const TracedCandidate: z.ZodType<Candidate> = z
  .looseObject({ ...candidateShape, origin: StoredOrigin.optional() })
  .transform(({ origin, ...candidate }) => ({
    ...candidate,
    origin: origin ?? parseCandidateId(candidate.id),
  }))

/** A candidate in a row of its own; the oldest were stored without their origin. */
export const CandidateRow: z.ZodType<Candidate> = z
  .object({
    ...candidateShape,
    attempt: z.number().int().nullable(),
    round: z.number().int().nullable(),
    sample: z.number().int().nullable(),
    meaning: StoredMeaning.nullable(),
    named: StoredNamedMeaning.nullable(),
  })
  .transform(({ attempt, round, sample, meaning, named, ...candidate }) => ({
    ...candidate,
    ...(meaning === null ? {} : { meaning }),
    ...(named === null ? {} : { named }),
    origin:
      attempt === null || round === null || sample === null
        ? parseCandidateId(candidate.id)
        : { attempt, round, sample },
  }))
