import {
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
} from '@duckdb/node-api'

/** A column as `resultSetMetaData.rowType` has it. */
export interface EncodedColumn {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  readonly precision: number | null
  readonly scale: number | null
  readonly length: number | null
}

const whole = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
])

const others: ReadonlyMap<DuckDBTypeId, string> = new Map([
  [DuckDBTypeId.FLOAT, 'real'],
  [DuckDBTypeId.DOUBLE, 'real'],
  [DuckDBTypeId.VARCHAR, 'text'],
  [DuckDBTypeId.SQLNULL, 'text'],
  [DuckDBTypeId.BOOLEAN, 'boolean'],
  [DuckDBTypeId.DATE, 'date'],
  [DuckDBTypeId.TIME, 'time'],
  [DuckDBTypeId.TIMESTAMP, 'timestamp_ntz'],
  [DuckDBTypeId.TIMESTAMP_TZ, 'timestamp_ltz'],
  [DuckDBTypeId.BLOB, 'binary'],
])

/** The type of a column by the names of the SQL API. Fails for a type that Snowflake does not have. */
export const encodeColumn = (name: string, type: DuckDBType): EncodedColumn => {
  const base = { name, nullable: true, precision: null, scale: null, length: null }
  if (type.alias === 'JSON') return { ...base, type: 'variant' }
  if (type.typeId === DuckDBTypeId.DECIMAL) {
    const { width, scale } = type as unknown as { width: number; scale: number }
    return { ...base, type: 'fixed', precision: width, scale }
  }
  if (whole.has(type.typeId)) return { ...base, type: 'fixed', precision: 38, scale: 0 }
  const known = others.get(type.typeId)
  if (known === undefined) throw new Error(`The double cannot encode ${type}.`)
  return { ...base, type: known }
}

/** Seconds with nine places. */
const seconds = (micros: bigint): string => {
  const size = micros < 0n ? -micros : micros
  const text = `${size / 1_000_000n}.${String(size % 1_000_000n).padStart(6, '0')}000`
  return micros < 0n ? `-${text}` : text
}

/** A value as the SQL API writes it: always a text. */
export const encodeValue = (value: DuckDBValue): string | null => {
  if (value === null) return null
  if (value instanceof DuckDBDateValue) return String(value.days)
  if (value instanceof DuckDBTimeValue || value instanceof DuckDBTimestampValue) return seconds(value.micros)
  if (value instanceof DuckDBTimestampTZValue) return seconds(value.micros)
  if (value instanceof DuckDBDecimalValue) return value.toString()
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('hex').toUpperCase()
  if (typeof value === 'object') throw new Error('The double cannot encode a nested value.')
  return String(value)
}
