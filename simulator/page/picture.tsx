/** A picture in a message; a click shows it alone, in its full size. */
export const Picture = ({ src, alt }: { readonly src: string; readonly alt: string }) => (
  <a className="picture" href={src} target="_blank" rel="noreferrer">
    <img src={src} alt={alt} />
  </a>
)
