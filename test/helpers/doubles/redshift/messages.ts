/** One message of Postgres' protocol: its type and what follows its length. */
export interface Message {
  readonly type: string
  readonly body: Buffer
}

/** Cuts a stream into messages. */
export const makeMessageReader = (): ((chunk: Buffer) => readonly Message[]) => {
  let rest: Buffer = Buffer.alloc(0)
  return chunk => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const messages: Message[] = []
    let at = 0
    while (rest.length - at >= 5) {
      const length = rest.readInt32BE(at + 1)
      if (rest.length - at < 1 + length) break
      messages.push({ type: String.fromCharCode(rest[at]!), body: rest.subarray(at + 5, at + 1 + length) })
      at += 1 + length
    }
    rest = rest.subarray(at)
    return messages
  }
}

export const writeMessage = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.write(type, 0, 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** Texts, each with a zero behind it. */
export const texts = (...parts: readonly string[]): Buffer =>
  Buffer.concat(parts.flatMap(part => [Buffer.from(part), Buffer.from([0])]))

export const int32 = (...values: readonly number[]): Buffer => {
  const buffer = Buffer.alloc(4 * values.length)
  for (const [at, value] of values.entries()) buffer.writeInt32BE(value, 4 * at)
  return buffer
}

/** An error as Redshift sends it: a code of Postgres, and a source file of its own. */
export const writeError = (fields: Readonly<Record<string, string>>): Buffer =>
  writeMessage(
    'E',
    Buffer.concat([
      ...Object.entries(fields).map(([field, text]) => texts(`${field}${text}`)),
      Buffer.from([0]),
    ]),
  )

/** The error of the server behind, in Redshift's words and fields. */
export const asRedshiftError = (body: Buffer): Buffer => {
  const fields = Object.fromEntries(
    body
      .toString()
      .split('\0')
      .filter(Boolean)
      .map(part => [part[0]!, part.slice(1)]),
  )
  const { S = 'ERROR', C = 'XX000', M = '', R = '' } = fields
  const words =
    C === '57014' ? "Query (0) cancelled on user's request" : C === '25006' ? 'transaction is read-only' : M
  return writeError({ S, C, M: words, F: '/home/ec2-user/padb/src/sys/xen_execute.cpp', L: '0', R })
}

/** Replaces the types of the columns in a row's description. */
export const withTypes = (body: Buffer, types: ReadonlyMap<number, number>): Buffer => {
  const changed = Buffer.from(body)
  let at = 2
  for (let count = body.readInt16BE(0); count > 0; count -= 1) {
    at = body.indexOf(0, at) + 1
    const own = types.get(body.readInt32BE(at + 6))
    if (own !== undefined) changed.writeInt32BE(own, at + 6)
    at += 18
  }
  return changed
}
