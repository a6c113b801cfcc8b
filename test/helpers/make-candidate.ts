import { type Candidate, type CandidateRun, parseCandidateId } from '../../src/domain/candidate.ts'

/** A candidate with plain values, of which a test names only what it is about. */
export const makeCandidate = (given: Partial<Candidate> = {}): Candidate => ({
  id: '0/semantic-parser/00',
  origin: parseCandidateId(given.id ?? '0/semantic-parser/00'),
  path: 'semantic-parser',
  lineage: 'semantic-parser',
  rank: 0,
  sql: 'SELECT 1',
  prior: 0.5,
  decisions: [],
  assumptions: [],
  unused: [],
  repairs: [],
  run: null,
  ...given,
})

/** A run that ended with rows. */
export const ranWith = (groupKey: string, rowCount = 1): CandidateRun => ({
  status: 'ran',
  resultId: `result-of-${groupKey}`,
  groupKey,
  columnsKey: groupKey,
  evidence: { isEmpty: rowCount === 0, absentLiterals: 0, columnInversions: 0 },
  rowCount,
  columnCount: 1,
  milliseconds: 1,
})
