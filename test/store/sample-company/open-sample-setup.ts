import { randomBytes } from 'node:crypto'
import { afterAll, inject } from 'vitest'
import '../../helpers/services/global-postgres.ts'
import { withClient } from '../../helpers/with-client.ts'

/**
 * Where the test file that calls this builds samples: databases and a reader of its own, since other files of the run
 * may build one, too. All of it is dropped after its last test.
 */
export const openSampleSetup = () => {
  const adminUrl = inject('embeddedPostgresUrl')
  const mark = randomBytes(6).toString('hex')
  const readerRole = `reader_${mark}`
  const made: string[] = []
  afterAll(() =>
    withClient(adminUrl, async admin => {
      for (const database of made) {
        await admin.query(`drop database if exists ${database} with (force)`)
        await admin.query('delete from querent_sample_builds where database = $1', [database])
      }
      await admin.query(`drop role ${readerRole}`)
    }),
  )
  return {
    adminUrl,
    asOf: '2026-11-20',
    readerRole,
    readerPassword: `${randomBytes(12).toString('base64')}:'@/ %`,
    /** The name of a database that is not there yet. */
    newDatabase: (): string => {
      const name = `sample_${mark}_${made.length}`
      made.push(name)
      return name
    },
  }
}
