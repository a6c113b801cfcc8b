import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The secret from which the keys of masks that hash are made. */
export interface MaskSecret {
  /** Of the store once it is open, since all processes share that one; else of a file in the home folder. */
  readonly read: () => Promise<Uint8Array>
  readonly begin: (readStored: () => Promise<Uint8Array>) => void
}

/** The name of the secret in the store. */
export const maskSecretName = 'masks'

/** Makes the secret of a process; it is read when a database with masks is opened. */
export const makeMaskSecret = (home: string): MaskSecret => {
  let read = (): Promise<Uint8Array> => readSecretFile(join(home, 'mask-secret'))
  return {
    read: () => read(),
    begin: readStored => {
      read = readStored
    },
  }
}

/** Reads the file, which only its owner may, and makes it first if nobody has. */
const readSecretFile = async (file: string): Promise<Uint8Array> => {
  const known = await readFile(file).catch(() => null)
  if (known !== null && known.length === 32) return known
  await mkdir(join(file, '..'), { recursive: true })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, randomBytes(32), { mode: 0o600 })
  // A link fails if another process was first, and nobody sees half of a secret.
  await link(draft, file).catch(() => undefined)
  await rm(draft, { force: true })
  return readFile(file)
}
