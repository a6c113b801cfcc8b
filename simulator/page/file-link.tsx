import type { SharedFile } from '../shapes/message.ts'
import { Picture } from './picture.tsx'

/** A file: a picture as such, anything else to be downloaded. */
export const FileLink = ({ file }: { readonly file: SharedFile }) =>
  file.mimetype.startsWith('image/') ? (
    <Picture src={`/files/${file.id}`} alt={file.title} />
  ) : (
    <a className="file" href={`/files/${file.id}`} download={file.name}>
      <span className="file-kind" aria-hidden="true">
        {file.name.split('.').at(-1)?.slice(0, 4).toUpperCase()}
      </span>
      <span>
        <b>{file.name}</b>
        <small>{sizeOf(file.size)}</small>
      </span>
    </a>
  )

const sizeOf = (bytes: number): string =>
  bytes < 1_000
    ? `${bytes} bytes`
    : `${(bytes / 1_000).toLocaleString('en-US', { maximumFractionDigits: 1 })} kB`
