import {
  type DuckDBDecimalValue,
  DuckDBListType,
  DuckDBStructType,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
} from '@duckdb/node-api'

/** A column as the REST API describes it. */
export interface Field {
  readonly name: string
  readonly type: string
  readonly mode: 'NULLABLE' | 'REQUIRED' | 'REPEATED'
  readonly fields?: readonly Field[]
}

const types: Readonly<Partial<Record<DuckDBTypeId, string>>> = {
  [DuckDBTypeId.BOOLEAN]: 'BOOLEAN',
  [DuckDBTypeId.INTEGER]: 'INTEGER',
  [DuckDBTypeId.BIGINT]: 'INTEGER',
  [DuckDBTypeId.HUGEINT]: 'INTEGER',
  [DuckDBTypeId.DOUBLE]: 'FLOAT',
  [DuckDBTypeId.DECIMAL]: 'NUMERIC',
  [DuckDBTypeId.DATE]: 'DATE',
  [DuckDBTypeId.TIME]: 'TIME',
  [DuckDBTypeId.TIMESTAMP]: 'DATETIME',
  [DuckDBTypeId.TIMESTAMP_TZ]: 'TIMESTAMP',
  [DuckDBTypeId.BLOB]: 'BYTES',
  [DuckDBTypeId.VARCHAR]: 'STRING',
  // A bare NULL is an INT64 there.
  [DuckDBTypeId.SQLNULL]: 'INTEGER',
}

export const fieldOf = (name: string, type: DuckDBType): Field => {
  if (type instanceof DuckDBListType) return { ...fieldOf(name, type.valueType), mode: 'REPEATED' }
  if (type instanceof DuckDBStructType)
    return {
      name,
      type: 'RECORD',
      mode: 'NULLABLE',
      fields: type.entryNames.map((entry, at) => fieldOf(entry, type.entryTypes[at] as DuckDBType)),
    }
  const own = type.alias === 'JSON' ? 'JSON' : types[type.typeId]
  if (own === undefined) throw new Error(`The double knows no type like ${type}.`)
  return { name, type: own, mode: 'NULLABLE' }
}

/** A value as the REST API writes it: everything scalar is a text. */
export const encode = (value: DuckDBValue, field: Field): unknown => {
  if (value === null) return field.mode === 'REPEATED' ? [] : null
  if (field.mode === 'REPEATED') {
    const { items } = value as unknown as { items: readonly DuckDBValue[] }
    return items.map(item => ({ v: encode(item, { ...field, mode: 'NULLABLE' }) }))
  }
  if (field.fields !== undefined) {
    const { entries } = value as unknown as { entries: Record<string, DuckDBValue> }
    return { f: field.fields.map(one => ({ v: encode(entries[one.name] ?? null, one) })) }
  }
  switch (field.type) {
    case 'TIMESTAMP':
      return String((value as unknown as { micros: bigint }).micros)
    case 'DATETIME':
      return String(value).replace(' ', 'T')
    case 'BYTES':
      return Buffer.from((value as unknown as { bytes: Uint8Array }).bytes).toString('base64')
    case 'NUMERIC': {
      const text = (value as DuckDBDecimalValue).toString()
      return text.includes('.') ? text.replace(/\.?0+$/, '') : text
    }
    case 'FLOAT':
      return Object.is(value, Number.NaN) ? 'NaN' : String(value)
    default:
      return String(value)
  }
}
