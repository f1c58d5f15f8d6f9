import 'reflect-metadata';
import { webcrypto, type webcrypto as WebCrypto } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints,
  NameConstraints,
} from '@peculiar/asn1-x509';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A certificate and its private key, both in PEM. */
export interface KeyedCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** A period of validity. */
export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/**
 * Creates an authority and a certificate of it for `hosts`. The authority cannot issue certificates for anything but
 * names in `domains` (RFC 5280 4.2.1.10). Its key is returned too, so that its owner can keep it.
 */
export async function createCertificates(
  domains: readonly string[],
  hosts: readonly string[],
  validity: Validity,
): Promise<{ readonly authority: KeyedCertificate; readonly server: KeyedCertificate }> {
  const newKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const [authorityKeys, serverKeys] = await Promise.all([newKeys(), newKeys()]);
  const common = { ...validity, signingAlgorithm: ALGORITHM };
  const name = `CN=Pipit lead (only ${domains.join(', ').replaceAll(',', String.raw`\,`)})`;
  const authority = await X509CertificateGenerator.createSelfSigned({
    ...common,
    serialNumber: newSerialNumber(),
    name,
    keys: authorityKeys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      new Extension(id_ce_nameConstraints, true, AsnConvert.serialize(limitTo(domains))),
      await SubjectKeyIdentifierExtension.create(authorityKeys.publicKey, false),
    ],
  });
  const server = await X509CertificateGenerator.create({
    ...common,
    serialNumber: newSerialNumber(),
    subject: `CN=${hosts[0]}`,
    issuer: authority.subject,
    publicKey: serverKeys.publicKey,
    signingKey: authorityKeys.privateKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(hosts.map((host) => ({ type: 'dns', value: host }))),
      await AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey, false),
      await SubjectKeyIdentifierExtension.create(serverKeys.publicKey, false),
    ],
  });
  return {
    authority: { certificate: authority.toString('pem'), key: await pemOf(authorityKeys) },
    server: { certificate: server.toString('pem'), key: await pemOf(serverKeys) },
  };
}

/** Permits the domains and their subdomains, and excludes every address, which names alone would not. */
function limitTo(domains: readonly string[]): NameConstraints {
  const subtrees = (names: readonly GeneralName[]) =>
    new GeneralSubtrees(names.map((base) => new GeneralSubtree({ base })));
  return new NameConstraints({
    permittedSubtrees: subtrees(domains.map((dNSName) => new GeneralName({ dNSName }))),
    excludedSubtrees: subtrees(['0.0.0.0/0', '::/0'].map((iPAddress) => new GeneralName({ iPAddress }))),
  });
}

/** Returns a positive number of 16 bytes in hexadecimal digits. */
function newSerialNumber(): string {
  const bytes = webcrypto.getRandomValues(Buffer.alloc(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
}

async function pemOf({ privateKey }: WebCrypto.CryptoKeyPair): Promise<string> {
  return PemConverter.encode(
    await webcrypto.subtle.exportKey('pkcs8', privateKey),
    PemConverter.PrivateKeyTag,
  );
}
