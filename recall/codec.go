package recall

import "encoding/binary"

// AppendFeature appends the feature to the bytes: FeatureSize bytes, little endian.
func AppendFeature(to []byte, f Feature) []byte {
	to = binary.LittleEndian.AppendUint32(to, uint32(f.Thread))
	to = binary.LittleEndian.AppendUint32(to, uint32(f.Prev))
	to = binary.LittleEndian.AppendUint32(to, uint32(f.Next))
	to = binary.LittleEndian.AppendUint16(to, f.Day)
	to = binary.LittleEndian.AppendUint16(to, f.Length)
	to = binary.LittleEndian.AppendUint16(to, f.Position)
	return append(to, byte(f.Flags), 0)
}

// ReadFeature returns the feature in the first FeatureSize bytes. It panics if there are fewer.
func ReadFeature(from []byte) Feature {
	_ = from[FeatureSize-1]
	return Feature{
		Thread:   Doc(binary.LittleEndian.Uint32(from)),
		Prev:     Doc(binary.LittleEndian.Uint32(from[4:])),
		Next:     Doc(binary.LittleEndian.Uint32(from[8:])),
		Day:      binary.LittleEndian.Uint16(from[12:]),
		Length:   binary.LittleEndian.Uint16(from[14:]),
		Position: binary.LittleEndian.Uint16(from[16:]),
		Flags:    Flags(from[18]),
	}
}
