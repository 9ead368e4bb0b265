package tablebase

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
)

// signature is the SHA-256 of unpacked blocks, one after another.
type signature struct{ hash.Hash }

func newSignature() signature { return signature{sha256.New()} }

func (s signature) text() string { return hex.EncodeToString(s.Sum(nil)) }
