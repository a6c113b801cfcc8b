import { createHash } from 'node:crypto'

/** A text as 10 hex digits: two of a question's few thousand texts meet by chance about never. */
export const shortHash = (text: string): string => createHash('sha1').update(text).digest('hex').slice(0, 10)
