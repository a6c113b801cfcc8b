import type { ValueKind } from '../../core/result.ts'
import { literalUnion } from './literals.ts'

export const StoredValueKind = literalUnion<ValueKind>({
  integer: true,
  number: true,
  text: true,
  boolean: true,
  date: true,
  timestamp: true,
  time: true,
  json: true,
  blob: true,
  unknown: true,
})
