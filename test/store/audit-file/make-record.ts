import { randomUUID } from 'node:crypto'
import type { StatementRecord } from '../../../src/domain/operations/audit.ts'
import type { EndLine } from '../../../src/store/audit-file/audit-line.ts'

/** A statement that a shell has begun, on 2 March 2026. */
export const makeRecord = (given: Partial<StatementRecord> = {}): StatementRecord => ({
  id: randomUUID(),
  at: new Date('2026-03-02T10:00:00.123Z'),
  ...{ origin: 'command', person: 'ada', command: 'querent ask', team: null, channel: null },
  ...{ questionId: null, digestId: null, database: 'shop', dialect: 'sqlite', kind: 'run' },
  ...{ sql: 'select 1', verdict: 'started', errorClass: null, reason: null },
  ...{ rows: null, bytes: null, milliseconds: null },
  ...given,
})

/** How it ended: with three rows. */
export const makeEnd = ({ id, at }: Pick<StatementRecord, 'id' | 'at'>): EndLine => ({
  ...{ id, at, verdict: 'ran', errorClass: null, rows: 3, bytes: 24, milliseconds: 1.5 },
})
