import { createHash } from 'node:crypto'
import type { AnswerCacheKey } from '../core/answer-cache.ts'

/** A key as one short word. The words of people are in no cache: only what they hash to. */
export const hashAnswerKey = ({
  database,
  schemaVersion,
  question,
  answeredBy,
  rights,
}: AnswerCacheKey): string =>
  createHash('sha256')
    .update(JSON.stringify([database, schemaVersion, question, answeredBy, rights]))
    .digest('base64url')
