/** A part of a collection's object, with what it stands on: others of its parts (parts.ts). */
export abstract class Part<Parts> {
  protected readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }
}
