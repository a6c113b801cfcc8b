import { createHash } from 'node:crypto'
import type { AnswerCacheKey } from '../domain/answer-cache.ts'

/** Hash of a key, as base64url. People's words are in no cache, only their hashes. */
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

/** Whether a text has the form of such a hash. */
export const isAnswerKeyHash = (text: string): boolean => /^[\w-]{43}$/.test(text)
