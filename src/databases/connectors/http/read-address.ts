import { readFileSync } from 'node:fs'
import { QuerentError } from '../../../domain/errors.ts'

/** The error of an address that cannot be used as it is. */
export const wrongAddress = (message: string): QuerentError => new QuerentError('unknown-database', message)

/** Throws for a parameter behind the `?` that the address does not know. */
export const refuseUnknownParameters = ({ protocol, searchParams }: URL, known: readonly string[]): void => {
  const unknown = [...searchParams.keys()].find(name => !known.includes(name))
  if (unknown !== undefined)
    throw wrongAddress(
      `A ${protocol}// address takes ${known.join(', ')} behind its ?, but not ${JSON.stringify(unknown.slice(0, 40))}.`,
    )
}

/** Whether to encrypt: as `tls` says, else on the usual ports, and with an authority to trust. */
export const readTls = ({ port, searchParams }: URL): boolean => {
  const tls = searchParams.get('tls') ?? String(port === '443' || port === '8443' || searchParams.has('ca'))
  if (tls !== 'true' && tls !== 'false') throw wrongAddress('tls is true or false.')
  return tls === 'true'
}

/** The certificates in a file that `ca` names. */
export const readAuthority = (file: string): Buffer => {
  try {
    return readFileSync(file)
  } catch (error) {
    throw wrongAddress(
      `ca names a file that cannot be read: ${(error as NodeJS.ErrnoException).code ?? file}.`,
    )
  }
}
